// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

extension LaunchTimeline {
  /// What the launcher read of the file that it launched; nil if that was only a wrapper, such as `env`.
  ///
  /// - Parameter row: the launcher's.
  func image(in row: AnnotationRow?) -> ImageDescription? {
    guard wrappedProgram == nil, !wentOnInAnotherFile else { return nil }
    return row?[LS_KEY_IMAGE].flatMap(ImageDescription.init)
  }

  /// The program that recorded itself, if a wrapper such as `env` was launched; else nil.
  ///
  /// `program` is what was launched: before the launches, a gate knows no other name to find a baseline in the history.
  var wrappedProgram: String? {
    guard recorder != nil, let launched = launcherRow?.string(LS_KEY_PROGRAM).map(fileName),
      let own = trace.processes.first(where: { $0.processID == processID })?.commandLine.map(fileName)
    else { return nil }
    // The command line of a script contains the script.
    return own.contains(launched) ? nil : own.first
  }

  /// Whether the process executed another program. (Some programs execute themselves, with another environment.)
  private var wentOnInAnotherFile: Bool {
    // What recorded itself is what was measured, whatever it executes later.
    let preinit = milestones.first { $0.id == MilestoneName.preinit }?.time
    let programs = LoadFacts(trace, processID: processID, latest: min(preinit ?? .max, end)).programs
    return programs.first?.path != programs.last?.path
  }

  var launcherRow: AnnotationRow? {
    trace.instants(of: CategoryName.launcher).last.map(trace.annotations(ofInstant:))
  }
}
