// SPDX-License-Identifier: Apache-2.0

/// The content of a trace file as tables, without interpretation.
public struct Trace: Sendable {
  public var format: TraceFormat
  public var strings = StringTable()
  public var tracks: [Track] = []
  public var processes: [TraceProcess] = []
  public var slices = SliceTable()
  public var instants = InstantTable()
  public var counters = CounterTable()
  public var samples = SampleTable()
  /// Stacks of threads at the moment when they left their processors to wait. Their weights are 0.
  package var waitStacks = SampleTable()
  public var switches = SwitchTable()
  public var wakeups = WakeupTable()
  /// The unit of `samples.weight`: `ns`, `count`, or the unit that the trace names.
  public var sampleUnit = "count"
  /// False for formats without times. The time of a sample is then the sum of the weights before it.
  public var hasTimes = true
  /// V8 and Firefox take samples by the wall clock, also while a thread waits. So samples do not show that it ran.
  package var samplesWaits: Bool
  /// Perfetto's viewer shows none of the samples of the file, although it reads the format.
  package var perfettoLacksSamples = false
  public var stacks = StackTable()
  public var annotations = AnnotationTable()
  public var moduleSymbols: [ModuleSymbol] = []
  /// Names of functions of the module `Swift`, because their names do not contain the module. Known after frames are
  /// named.
  package var standardFunctions: Set<String> = []
  public var clockSnapshots: [ClockSnapshot] = []
  /// The clock of its times, as Perfetto numbers clocks: MONOTONIC, unless the file says otherwise.
  package var clock: Int32 = 3
  /// Places that were broken or skipped, with offset and reason. Empty for a sound trace.
  public var diagnostics: [TraceDiagnostic] = []
  public var statistics = ReadStatistics()
  /// The range of times that annotations may contain, ns. Other times are outside of what the trace shows.
  package var plausibleTimes = -TraceLimits.time...TraceLimits.time

  public init(format: TraceFormat) {
    self.format = format
    samplesWaits = format == .cpuProfile || format == .firefox
  }
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
  /// Nanoseconds on the trace's clock; nil if the trace does not say.
  public var start: Int64?
  public var track: TrackID?
  /// The uuid of the process's track in a Perfetto trace. Packets to append must use the same one; for readers,
  /// another uuid is another process.
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

/// A symbol in the trace for an address of an image. Several symbols of one address follow each other. They are
/// functions that are inlined into each other, the innermost first.
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

/// A place in a file that could not be read and was skipped.
public struct TraceDiagnostic: Sendable, Equatable {
  /// Byte offset in the (decompressed) file.
  public var offset: Int
  public var reason: String
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}

/// Counts of what the reader found.
public struct ReadStatistics: Sendable, Equatable {
  public var bytes = 0
  public var packets = 0
  /// Number of packets and events of kinds that are not read, by field number or name. Sound traces have many.
  public var skipped: [String: Int] = [:]
  /// Number of events that were ignored because they lack something, or contradict the format, by what is wrong.
  public var ignored: [String: Int] = [:]
  /// Number of places that were broken or skipped; `diagnostics` lists the first ones.
  public var defects = 0
  /// Number of events that were ignored because their time, duration or weight is too large for a launch.
  public var unsound = 0
  /// Number of times that a stack was cut, because the file has too many different stacks for its size.
  public var cutStacks = 0
  /// Number of events that were ignored, because the file has too many tracks for its size.
  public var untracked = 0
  /// Number of end events without a begin event.
  public var unmatchedEnds = 0
  /// True if the file ends inside a packet. Only the end is lost.
  public var truncated = false
  public init() {}
}
