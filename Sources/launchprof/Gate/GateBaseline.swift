import ArgumentParser
import LaunchAnalysis
import LaunchHistory

/// What a gate compares with: traces, or launches that the history keeps.
enum GateBaseline {
  case launches([Measurement])
  /// Why there is none.
  case missing(String)

  /// - Parameters:
  ///   - name: a directory, a file, a pattern; else a commit or a baseline's name in the history.
  ///   - store: where the history is.
  init(_ name: String, store: HistoryStoreOption) throws {
    let paths: [String]
    do throws(TraceArgumentError) { paths = try TraceArguments.resolve([name]) } catch {
      self = .missing("the baseline \(error)")
      return
    }
    if paths != [name] || TraceArguments.exists(name) {
      self = .launches(try Measuring.measurements(of: paths))
      return
    }
    guard TraceArguments.exists(store.place) else {
      self = .missing("the baseline \(shown(name)) is no file or directory, and there is no history at \(store.place)")
      return
    }
    do throws(HistoryError) {
      let history = try HistoryStore(path: store.place, makesNew: false)
      let commit = try history.commit(named: name)
      self = .launches(try history.launches(HistoryFilter(commit: commit)).map(\.measurement))
    } catch {
      // One written by a newer version is a baseline that cannot be compared with, too.
      self = .missing("the baseline is no file or directory; the history \(error)")
    }
  }
}
