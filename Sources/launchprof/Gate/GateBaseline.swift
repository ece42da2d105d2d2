import ArgumentParser
import LaunchAnalysis

/// What a gate compares with: traces, or launches that the history keeps.
enum GateBaseline {
  case launches([Measurement])
  /// Why there is none.
  case missing(String)

  /// - Parameters:
  ///   - name: a directory, a file, a pattern; else a commit or a baseline's name in the history.
  ///   - store: of the history; nil for the usual place.
  init(_ name: String, store: String?) throws {
    let paths: [String]
    do throws(TraceArgumentError) { paths = try TraceArguments.resolve([name]) } catch {
      self = .missing("the baseline \(error)")
      return
    }
    if paths != [name] || TraceArguments.exists(name) {
      self = .launches(try Measuring.measurements(of: paths))
      return
    }
    self = .missing("the baseline \(shown(name)) is no file or directory")
  }
}
