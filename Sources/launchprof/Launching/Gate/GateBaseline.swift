// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchTrace

/// The launches that a gate compares with: traces, or launches of the history.
enum GateBaseline {
  case launches([Measurement])
  /// Why there is no baseline.
  case missing(String)

  /// - Parameters:
  ///   - name: a directory, a file or a pattern; otherwise a commit or a baseline's name in the history.
  ///   - program: the file name of the program to judge, if that is known before it is launched.
  ///   - store: the history.
  init(_ name: String, of program: String?, store: HistoryStoreOption) throws {
    let paths: [String]
    do throws(TraceArgumentError) { paths = try TraceArguments.resolve([name]) } catch {
      self = .missing("the baseline \(error)")
      return
    }
    if paths != [name] || TraceArguments.exists(name) {
      do throws(TraceError) { self.init(try Measuring.read(paths)) } catch {
        // A trace of a newer version cannot be the baseline, but is not damaged.
        guard error.code == .unsupportedVersion else { throw fail(error, status: CommandStatus.failure) }
        self = .missing("the baseline \(error)")
      }
      return
    }
    guard TraceArguments.exists(store.place) else {
      self = .missing(
        "the baseline \(shown(name)) is not a file or directory, and there is no history at \(store.place)")
      return
    }
    do throws(HistoryError) {
      let history = try HistoryStore(path: store.place, makesNew: false)
      let commit = try history.commit(named: name)
      // The filter also finds commits that begin with this one.
      let rows = try history.launches(HistoryFilter(commit: commit)).filter { $0.commit == commit }
      let ofProgram = rows.filter { $0.key.program == program }
      let own = ofProgram.isEmpty ? rows : ofProgram
      let series = Set(own.map(\.key))
      if series.count > 1 {
        let names = series.map { "\(shown($0.program)) on \(shown($0.machine)) (\(shown($0.configuration)))" }.sorted()
        self = .missing(
          "the baseline \(shown(name)) has launches of several series in the history: \(names.joined(separator: ", ")). Name traces instead"
        )
        return
      }
      self.init(own.map(\.measurement))
    } catch {
      // A history of a newer version is also a baseline that cannot be compared.
      self = .missing("the baseline is not a file or directory; the history \(error)")
    }
  }

  private init(_ launches: [Measurement]) {
    let launches = Measurement.set(launches)
    self =
      launches.contains { $0.leftOut == nil } ? .launches(launches) : .missing("the baseline has no launch that counts")
  }

  /// Why there is no baseline; nil if there is one.
  var problem: String? { if case .missing(let reason) = self { reason } else { nil } }
}
