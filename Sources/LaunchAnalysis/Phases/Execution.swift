// SPDX-License-Identifier: Apache-2.0

/// A time in which the kernel executed a program for the first thread, which ran no other code.
struct Execution: Sendable {
  var range: Range<Int64>
  /// The program's file; nil if the trace does not say.
  var path: String?
}

extension LaunchPoints {
  /// Up to the first program that was executed, and from the launched one to the start of its loader. Of a program between
  /// them, it is not known when its loader started.
  var executions: [Execution] {
    guard let first = load.programs.first, let last = load.programs.last else { return [] }
    func execution(_ program: LoadFacts.Point, from start: Int64, to end: Int64) -> Execution {
      Execution(range: start..<max(start, end), path: program.path.isEmpty ? nil : program.path)
    }
    let toFirst = startSource == .launcher ? [execution(first, from: start, to: first.time)] : []
    let toLoader = endOfExec.map { [execution(last, from: last.time, to: $0.time)] } ?? []
    return toFirst + toLoader
  }

  /// Where the program's loader starts. Without a loader: the program's entry. Nil if that was not observed.
  var endOfExec: LoadFacts.Point? {
    load.loaderStarted ?? (load.relocated == nil && preinit == nil ? load.entry : nil)
  }

  /// Where the phase `exec` ends. The points of a program that another one executed may have passed unseen. Then what came
  /// before it, and the time of that program, are not part of its phases.
  var endOfExecPhase: LoadFacts.Point? {
    endOfExec ?? (load.programs.count > 1 && preinit == nil ? load.programs.last : nil)
  }
}
