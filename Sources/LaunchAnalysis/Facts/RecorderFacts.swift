internal import LaunchTrace

/// What the recorder says of itself and of the launch's beginning: the `recorder` event.
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
    libraryVersion = row.string("library_version") ?? ""
    processStart = row.integer("process_start_ns")
    processStartError = max(0, row.integer("process_start_error_ns") ?? 0)
    startedByLauncher = row.string("process_start_source") == "launcher"
    preinit = row.integer("preinit_ns")
    startupCost = max(0, row.double("startup_cost_ns") ?? 0)
    eventCost = max(0, row.double("event_cost_ns") ?? 0)
    dropped = Int(clamping: max(0, row.integer("events_dropped") ?? 0))
    untimedInitializers = Int(clamping: max(0, row.integer("initializers_untimed") ?? 0))
    isDebugBuild = row.bool("debug_build") ?? false
  }
}
