/// The program's own lazy globals that a launch initialised: the same every time, if the program does the same.
package struct InitializedGlobals: Sendable, Equatable {
  /// In the order in which they were first asked for, each once.
  package var names: [String] = []
  /// Of each its own time, ns.
  package var times: [String: Int64] = [:]

  /// nil when nobody watched, or lost something.
  init?(_ timeline: LaunchTimeline) {
    guard let observation = timeline.observation, observation.globals != nil, observation.lostRecords == 0 else {
      return nil
    }
    for global in timeline.lazyGlobals.globals(of: .program) {
      if times[global.name] == nil { names.append(global.name) }
      times[global.name, default: 0] += global.selfTime
    }
  }
}
