// SPDX-License-Identifier: Apache-2.0

/// Reads speedscope's file format, as py-spy, rbspy and others write it: `evented` profiles are slices, `sampled` ones are
/// samples. A profile is a thread; the one that the file shows first is the main thread.
///
/// A file with no evented profile has no times: the time of a sample is the sum of the weights before it.
struct SpeedscopeReader: TraceImporter {
  private var builder = TraceBuilder(format: .speedscope)
  /// Places in the trace's frames; -1 for one that is left out.
  private var frames: [Int32] = []
  /// The unit of the samples: that of the first profile with times, else that of the first profile.
  private var unit: SampleUnit?
  private var isEvented = false
  /// The file is a report of launchprof.
  private var isReport = false

  /// What launchprof calls the profile with its conclusions. They are not work of the program.
  private static let states = "states of the main thread"

  static func recognizes(_ head: FileHead) -> Bool {
    guard head.first == UInt8(ascii: "{"), !head.contains("\"traceEvents\"") else { return false }
    // Some writers escape slashes.
    let schemas = ["speedscope.app/file-format-schema.json", "speedscope.app\\/file-format-schema.json"]
    if schemas.contains(where: head.contains) { return true }
    // Others name the schema last, which is beyond the head of a large file. Functions may have such names, too.
    let marks = [["\"shared\"", "\"frames\""], ["\"profiles\"", "\"startValue\"", "\"endValue\""]]
    return marks.contains { $0.allSatisfy(head.contains) } && !CPUProfileReader.recognizes(head)
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let document = try JSONView.document(input)
    // It may only look like one.
    guard document["$schema"]?.string?.contains("speedscope.app/") == true else {
      return try ChromeJSONReader.read(again(), again: again)
    }
    var reader = SpeedscopeReader()
    reader.builder.limit(toWhole: input)
    reader.isReport = document["exporter"]?.string == "launchprof"
    _ = reader.builder.process(Self.process, name: reader.programName(document["name"]?.string ?? ""))
    reader.readFrames(document["shared"]?["frames"])
    // launchprof may open the samples first. The main thread's intervals are then before them.
    let active = reader.isReport ? 0 : document["activeProfileIndex"]?.integer ?? 0
    reader.read(profiles: document["profiles"], active: active)
    let isEmpty = reader.unit == nil && !reader.isEvented
    guard !isEmpty || reader.builder.trace.statistics.ignored[Self.untimed] == nil else {
      throw TraceError(
        .unknownFormat, path: input.path,
        message: "is a speedscope file whose evented profiles count no time; export sampled profiles instead")
    }
    reader.builder.trace.sampleUnit = reader.unit?.name ?? "count"
    // The profiles follow each other, so that the end is the sum of all samples.
    if !reader.isEvented, reader.builder.trace.samples.count > 0 { reader.builder.addUpWeights() }
    return reader.builder.finish()
  }

  private static let untimed = "evented profiles that count no time"

  /// The format knows no processes.
  private static let process: Int32 = 1

  private func programName(_ name: String) -> String {
    let prefix = "launch of "
    return isReport && name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  private mutating func readFrames(_ list: JSONView?) {
    let most = TraceLimits.nodes(bytes: builder.bytes)
    list?.forEachElement { frame in
      guard frames.count < most else {
        builder.trace.statistics.cutStacks += 1
        return
      }
      frames.append(place(of: frame) ?? -1)
    }
  }

  private mutating func place(of frame: JSONView) -> Int32? {
    guard let name = frame["name"].map({ $0.frameName(&builder) }) ?? .empty else { return nil }
    let file = frame["file"]?.frameName(&builder) ?? .empty
    return builder.place(
      of: StackTable.Frame(
        function: name == .empty ? builder.string("(anonymous)") : name, file: file,
        line: file == .empty ? 0 : frame["line"]?.integer.flatMap { UInt32(exactly: $0) } ?? 0))
  }

  /// The place of a frame by its number in the file; nil if there is none.
  private func place(ofFrame number: Int64) -> Int32? {
    guard frames.indices.contains(Int(number)), frames[Int(number)] >= 0 else { return nil }
    return frames[Int(number)]
  }

  /// Reads the profile that the file shows first, which counts as the main thread, and then the others.
  private mutating func read(profiles: JSONView?, active: Int64) {
    var (place, shown) = (Int64(0), JSONView?.none)
    profiles?.forEachElement { profile in
      if place == 0 || place == active { shown = profile }
      place += 1
    }
    guard let shown else { return }
    if shown["type"]?.string == "sampled" { unit = Self.unit(of: shown) }
    profiles?.forEachElement { profile in
      guard profile["type"]?.string == "sampled", unit?.isTime != true else { return }
      let other = Self.unit(of: profile)
      if unit == nil || other.isTime { unit = other }
    }
    read(shown, thread: Self.process)
    var id = Track.firstMadeID | 1
    profiles?.forEachElement { profile in
      if profile.bytes.baseAddress == shown.bytes.baseAddress { return }
      id += 1
      read(profile, thread: id)
    }
  }

  private mutating func read(_ profile: JSONView, thread id: Int32) {
    builder.trace.statistics.packets += 1
    let type = profile["type"]?.string
    guard type == "evented" || type == "sampled" else { return builder.skipped("profiles of an unknown type") }
    let name = profile["name"]?.string
    if isReport, name?.hasSuffix(Self.states) == true { return builder.skipped("states of a report") }
    let thread = builder.thread(id, ofProcess: Self.process, name: name)
    let unit = Self.unit(of: profile)
    if type == "evented" { read(events: profile["events"], unit, thread) } else { read(samples: profile, unit, thread) }
  }

  private static func unit(of profile: JSONView) -> SampleUnit {
    SampleUnit(speedscope: profile["unit"]?.string ?? "")
  }

  // MARK: Evented

  private mutating func read(events: JSONView?, _ unit: SampleUnit, _ thread: TrackID) {
    guard unit.isTime else { return builder.ignored(Self.untimed) }
    isEvented = true
    var last = Int64.min
    events?.forEachElement { event in
      guard let at = event["at"]?.number, let place = event["frame"]?.integer.flatMap(place(ofFrame:)) else {
        return builder.ignored("events with no time, or no frame")
      }
      let name = StringID(rawValue: builder.trace.stacks.frames[Int(place)].function)
      let time = at.nanoseconds(unit: Double(unit.scale))
      // The format wants events in the order of time.
      guard time >= last else { return builder.ignored("events that go back in time") }
      last = time
      switch event["type"]?.string {
      case "O"?: builder.begin(track: thread, time: time, name: name)
      case "C"?: builder.end(track: thread, time: time, name: name)
      default: builder.ignored("events of an unknown type")
      }
    }
  }

  // MARK: Sampled

  private mutating func read(samples profile: JSONView, _ unit: SampleUnit, _ thread: TrackID) {
    guard unit.name == self.unit?.name else { return builder.ignored("sampled profiles of another unit") }
    var weights = profile["weights"].map { JSONElements($0) }
    let most = TraceLimits.samples(bytes: builder.bytes)
    let scale = Double(unit.scale)
    var time = (profile["startValue"]?.number ?? 0).nanoseconds(unit: scale)
    profile["samples"]?.forEachElement { sample in
      guard builder.hasRoomForSample(most) else { return }
      let weight = weights?.next().map { ($0.number ?? .nan).nanoseconds(unit: scale) } ?? 1
      builder.sample(track: thread, time: time, stack: stack(sample), weight: weight)
      time = time.addingSaturated(max(0, weight))
    }
  }

  private mutating func stack(_ sample: JSONView) -> Int32 {
    var (row, depth) = (Int32(-1), 0)
    sample.forEachElement { element in
      guard let place = element.integer.flatMap(place(ofFrame:)), depth < StackInterning.longestStack else { return }
      let next = builder.row(of: place, below: row)
      depth = next == nil ? StackInterning.longestStack : depth + 1
      row = next ?? row
    }
    return row
  }
}
