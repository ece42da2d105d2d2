// SPDX-License-Identifier: Apache-2.0

/// Reads processed profiles of Firefox Profiler, as samply and profiler.firefox.com save them: tables in each thread (before
/// version 60), or tables that all threads share. Samples with their stacks, and markers as slices and instants.
///
/// https://github.com/firefox-devtools/profiler, `src/types/profile.ts` and its changelog.
struct FirefoxReader: TraceImporter {
  var builder = TraceBuilder(format: .firefox)
  var events: [DeferredEvent] = []
  private var categories: [StringID] = []
  /// A report of launchprof, perhaps saved again by the viewer.
  private var isReport = false
  private var libraries: [FirefoxLibrary] = []
  /// Tracks of a report's markers that belong to no thread.
  private var asyncTracks: [Lane: TrackID] = [:]
  /// Tables of the whole profile.
  private var sharedStrings: FirefoxStrings?
  private var sharedStacks: FirefoxStacks?
  /// The time in ns that a sample represents, if its weight is a number of samples.
  private var interval: Int64 = 1
  /// nil until a thread with samples was read.
  private var unit: String?

  static func recognizes(_ head: FileHead) -> Bool {
    guard head.first == UInt8(ascii: "{"), !head.contains("\"traceEvents\"") else { return false }
    if head.contains("\"preprocessedProfileVersion\"") { return true }
    // A profile with many kinds of markers says its version late.
    let words = ["\"stackwalk\"", "\"markerSchema\"", "\"processType\"", "\"categories\""]
    return head.contains("\"meta\"") && words.contains(where: head.contains)
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let document = try JSONView.document(input)
    guard let meta = document["meta"], meta["preprocessedProfileVersion"]?.integer != nil,
      let threads = document["threads"]
    else {
      throw TraceError(
        .unsupportedVersion, path: input.path,
        message: "is not a processed profile of Firefox; open it at profiler.firefox.com and save it there")
    }
    var reader = FirefoxReader()
    reader.builder.limit(toWhole: input)
    reader.readMeta(meta)
    reader.readLibraries(document["libs"])
    if let shared = document["shared"] { reader.readShared(shared) }
    threads.forEachElement { reader.read(thread: $0) }
    reader.builder.add(reader.events)
    reader.events = []
    reader.builder.trace.sampleUnit = reader.unit ?? "count"
    return reader.builder.finish()
  }

  static let millisecond = 1e6

  private mutating func readMeta(_ meta: JSONView) {
    // Without an interval, a sample is one sample.
    if let interval = meta["interval"]?.number, interval > 0 {
      self.interval = max(1, min(interval, 1e6).nanoseconds(unit: Self.millisecond))
    }
    isReport = meta["importedFrom"]?.string == "launchprof"
    builder.trace.hasTimes = !isReport || meta["untimed"] == nil
    categories = meta["categories"]?.elements { $0["name"]?.intern(&builder.trace.strings) ?? .empty } ?? []
  }

  private struct Lane: Hashable {
    var processID: Int32
    var number: Int64
  }

  /// A report has the async work of a process on its main thread, because each marker needs a thread.
  ///
  /// - Parameter lane: the track of the trace that the report is of; work on different ones does not nest.
  mutating func asyncTrack(beside thread: TrackID, lane: Int64?) -> TrackID {
    let processID = builder.trace.tracks[Int(thread.rawValue)].processID
    let hasRoom = asyncTracks.count < TraceLimits.tracks(bytes: builder.bytes)
    let lane = Lane(processID: processID, number: hasRoom ? lane ?? -1 : -1)
    if let known = asyncTracks[lane] { return known }
    let track = builder.addTrack(
      Track(kind: .async, name: builder.string("async"), processID: processID, parent: builder.process(processID)))
    builder.lanes[Int(track.rawValue)].isUnordered = true
    asyncTracks[lane] = track
    return track
  }

  private mutating func readLibraries(_ view: JSONView?) {
    let most = TraceLimits.names(bytes: builder.bytes)
    view?.forEachElement { library in
      guard libraries.count < most else { return builder.ignored("more libraries than a file of its size has") }
      let path = library["path"] ?? library["debugPath"] ?? library["name"]
      libraries.append(
        FirefoxLibrary(
          path: path?.intern(&builder.trace.strings) ?? .empty,
          buildID: library["codeId"]?.intern(&builder.trace.strings) ?? .empty))
    }
  }

  private mutating func readShared(_ shared: JSONView) {
    sharedStrings = shared["stringArray"].map { FirefoxStrings($0) }
    guard shared["stackTable"] != nil else { return }
    sharedStacks = FirefoxStacks(
      shared, strings: sharedStrings, sources: shared["sources"], libraries: libraries, &builder)
  }

  // MARK: Threads

  private mutating func read(thread view: JSONView) {
    builder.trace.statistics.packets += 1
    let process = id(view["pid"])
    let isMain = view["isMainThread"]?.isTrue ?? false
    // Linux: the main thread's id is the process's.
    let track = builder.thread(isMain ? process : id(view["tid"]), ofProcess: process, name: view["name"]?.string)
    if let name = view["processName"]?.string { _ = builder.process(process, name: name) }
    let ownStrings = (view["stringArray"] ?? view["stringTable"]).map { FirefoxStrings($0) }
    let strings = ownStrings ?? sharedStrings
    if let samples = view["samples"] {
      let stacks =
        view["stackTable"] == nil
        ? sharedStacks : FirefoxStacks(view, strings: strings, sources: nil, libraries: libraries, &builder)
      read(samples: samples, stacks, track)
    }
    if let markers = view["markers"] {
      FirefoxMarkers(strings: strings, categories: categories, track: track, isReport: isReport)
        .read(markers, into: &self)
    }
  }

  /// A number, as it is or in a string; an id that no system gives for any other text, or a number that does not fit.
  private mutating func id(_ view: JSONView?) -> Int32 {
    guard let view, let text = view.string ?? view.integer.map(String.init) else { return 0 }
    if let number = Int32(text) { return number }
    return Track.madeID(builder.string(text))
  }

  // MARK: Samples

  private mutating func read(samples: JSONView, _ stacks: FirefoxStacks?, _ track: TrackID) {
    guard let rows = samples["stack"], !rows.isEmptyArray else { return }
    let unit: String
    let scale: Double
    switch samples["weightType"]?.string {
    case "tracing-ms"?: (unit, scale) = ("ns", Self.millisecond)
    case "bytes"?: (unit, scale) = ("bytes", 1)
    // The interval of a report means nothing.
    case _ where isReport: (unit, scale) = ("count", 1)
    default: (unit, scale) = ("ns", Double(interval))
    }
    guard self.unit == nil || self.unit == unit else { return builder.skipped("samples of another unit") }
    self.unit = unit
    var times = samples["time"].map { JSONElements($0) }
    var deltas = times == nil ? samples["timeDeltas"].map { JSONElements($0) } : nil
    var weights = samples["weight"].map { JSONElements($0) }
    let most = TraceLimits.samples(bytes: builder.bytes)
    var time = 0.0
    rows.forEachElement { row in
      guard builder.hasRoomForSample(most) else { return }
      if times != nil {
        time = times?.next()?.number ?? .nan
      } else if let delta = deltas?.next() {
        time += delta.number ?? .nan
      }
      let weight = weights?.next().map { $0.number ?? .nan } ?? 1
      builder.sample(
        track: track, time: time.nanoseconds(unit: Self.millisecond), stack: stacks?.row(of: row.index) ?? -1,
        weight: weight.nanoseconds(unit: scale))
    }
  }
}

/// A file that code of the program came from.
struct FirefoxLibrary {
  var path: StringID
  var buildID: StringID
}
