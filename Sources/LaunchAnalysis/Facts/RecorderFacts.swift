// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// What the recorder wrote about itself and the beginning of the launch: the `recorder` event.
struct RecorderFacts {
  var track: Int32
  var libraryVersion: String
  var processStart: Int64?
  var processStartError: Int64
  var startedByLauncher: Bool
  var preinit: Int64?
  var startupCost: Double
  var eventCost: Double
  var dropped: Int
  var untimedInitializers: Int
  var isDebugBuild: Bool

  init(_ row: AnnotationRow, track: Int32) {
    self.track = track
    libraryVersion = row.string(LS_KEY_LIBRARY_VERSION) ?? ""
    processStart = row.time(LS_KEY_PROCESS_START_NS)
    processStartError = max(0, row.number(LS_KEY_PROCESS_START_ERROR_NS))
    startedByLauncher = row.string(LS_KEY_PROCESS_START_SOURCE) == LS_SOURCE_LAUNCHER
    preinit = row.time(LS_KEY_PREINIT_NS)
    startupCost = min(max(0, row.double(LS_KEY_STARTUP_COST_NS) ?? 0), Double(TraceLimits.number))
    eventCost = min(max(0, row.double(LS_KEY_EVENT_COST_NS) ?? 0), Double(TraceLimits.callCost))
    dropped = max(0, row.count(LS_KEY_EVENTS_DROPPED))
    untimedInitializers = max(0, row.count(LS_KEY_INITIALIZERS_UNTIMED))
    isDebugBuild = row.bool(LS_KEY_DEBUG_BUILD) ?? false
  }
}
