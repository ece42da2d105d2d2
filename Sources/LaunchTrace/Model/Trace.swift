/// A trace as rows: what the file says, with no interpretation.
public struct Trace: Sendable {
  public var format: TraceFormat
  public var strings = StringTable()
  public var tracks: [Track] = []
  public var processes: [TraceProcess] = []
  public var slices = SliceTable()
  public var instants = InstantTable()
  public var counters = CounterTable()
  public var samples = SampleTable()
  public var switches = SwitchTable()
  public var wakeups = WakeupTable()
  /// What `samples.weight` counts: `ns`, `count`, or what the trace says.
  public var sampleUnit = "count"
  /// False for formats that say how often a stack was seen, not when: a sample's time is the sum of the weights before it.
  public var hasTimes = true
  public var stacks = StackTable()
  public var annotations = AnnotationTable()
  public var moduleSymbols: [ModuleSymbol] = []
  /// Names of functions that are of the module `Swift`, which the names do not say; known once frames are named.
  package var standardFunctions: Set<String> = []
  public var clockSnapshots: [ClockSnapshot] = []
  /// What was broken or passed over, with offset and reason. Empty for a sound trace.
  public var diagnostics: [TraceDiagnostic] = []
  public var statistics = ReadStatistics()
  /// Where the times lie that annotations may give, ns: others would be no part of what the trace shows.
  package var plausibleTimes = -TraceLimits.time...TraceLimits.time

  public init(format: TraceFormat) { self.format = format }
}

/// The formats that can be read.
public enum TraceFormat: String, Sendable, CaseIterable {
  case perfetto
  case chromeJSON = "chrome-json"
  case perfScript = "perf-script"
  case folded
  case instruments
  case firefox
  case speedscope
  case cpuProfile = "cpuprofile"
  case pprof
}

/// A process of the trace.
public struct TraceProcess: Sendable {
  public var processID: Int32
  public var name: String
  public var commandLine: [String]
  /// Nanoseconds on the trace's clock, nil if not said.
  public var start: Int64?
  public var track: TrackID?
  /// What a Perfetto trace calls the process's track: packets to append must use the same, another one would be another
  /// process to readers.
  public var uuid: UInt64?
  public init(
    processID: Int32, name: String = "", commandLine: [String] = [], start: Int64? = nil, track: TrackID? = nil,
    uuid: UInt64? = nil
  ) {
    self.processID = processID
    self.name = name
    self.commandLine = commandLine
    self.start = start
    self.track = track
    self.uuid = uuid
  }
}

/// A symbol that the trace itself brings for an address of an image. Several ones of an address, which then stand together,
/// are functions inlined into each other, the innermost first.
public struct ModuleSymbol: Sendable, Equatable {
  public var path: String
  public var buildID: String
  public var address: UInt64
  public var function: String
  public var file: String
  public var line: Int
  public init(path: String, buildID: String, address: UInt64, function: String, file: String = "", line: Int = 0) {
    self.path = path
    self.buildID = buildID
    self.address = address
    self.function = function
    self.file = file
    self.line = line
  }
}

/// One simultaneous reading of several clocks, nanoseconds by Perfetto's builtin clock id.
public struct ClockSnapshot: Sendable, Equatable {
  public var readings: [Int32: Int64]
  public init(readings: [Int32: Int64]) { self.readings = readings }
  public var monotonic: Int64? { readings[3] }
  public var realtime: Int64? { readings[1] }
  public var boottime: Int64? { readings[6] }
}

/// Something in a file that could not be read, and was passed over.
public struct TraceDiagnostic: Sendable, Equatable {
  /// Byte offset in the (decompressed) file.
  public var offset: Int
  public var reason: String
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}

/// What the reader met.
public struct ReadStatistics: Sendable, Equatable {
  public var bytes = 0
  public var packets = 0
  /// Packets of kinds that are not read, by field number or name.
  public var skipped: [String: Int] = [:]
  /// How many places were broken or passed over; `diagnostics` lists the first ones.
  public var defects = 0
  /// Events that were left out because their time, duration or weight is beyond what a launch can have.
  public var unsound = 0
  /// Ends with no begin.
  public var unmatchedEnds = 0
  /// True when the file ends inside a packet: the tail is lost, nothing else.
  public var truncated = false
  public init() {}
}
