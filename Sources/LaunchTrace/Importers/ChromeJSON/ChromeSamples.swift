// SPDX-License-Identifier: Apache-2.0

/// The samples of a Chrome trace: `samples` with `stackFrames`, and the profiles of V8.
///
/// The tables of the trace hold them from the start. Until `finish`, `stack` is the number of a node, and the time of a
/// sample of V8 is the time since the sample before.
struct ChromeSamples {
  private var stacks = StackNodes()
  private var profiles: [V8Profile] = []
  private var profilePlaces: [ProfileKey: Int] = [:]
  /// The rows of `samples`.
  private var listed: [Range<Int>] = []
  private var listedUnit = "count"
  private var listedHaveTimes = true
  private var listedIncludeWaits = false

  enum ProfileEvent {
    case begin, chunk
  }

  private struct ProfileKey: Hashable {
    var processID: Int32
    var id: StringID
  }

  /// The tree of `stackFrames`. Those of profiles follow.
  private static let listedTree: Int32 = 0

  // MARK: V8

  /// An event of V8's profiler. `thread` is the one that wrote it.
  mutating func read(
    _ kind: ProfileEvent, _ event: ChromeEvent, processID: Int32, thread: TrackID, _ builder: inout TraceBuilder
  ) {
    guard let arguments = event.arguments, let data = JSONView(bytes: arguments)["data"], data.isObject else {
      return builder.ignored("events of V8's profiler with no data")
    }
    let key = ProfileKey(processID: processID, id: event.anyID.intern(&builder.trace.strings))
    let place = profilePlaces[key] ?? add(V8Profile(tree: nextTree, thread: thread))
    profilePlaces[key] = place
    switch kind {
    case .begin: profiles[place].begin(data, thread: thread, time: event.time)
    case .chunk: profiles[place].read(chunk: data, time: event.time ?? 0, &stacks, &builder)
    }
  }

  /// A profile that one event holds as a whole.
  mutating func read(whole profile: JSONView, thread: TrackID, _ builder: inout TraceBuilder) {
    builder.trace.perfettoLacksSamples = true
    let place = add(V8Profile(tree: nextTree, thread: thread))
    profiles[place].read(whole: profile, &stacks, &builder)
  }

  private var nextTree: Int32 { Int32(truncatingIfNeeded: profiles.count + 1) }

  private mutating func add(_ profile: V8Profile) -> Int {
    profiles.append(profile)
    return profiles.count - 1
  }

  // MARK: Samples that the file lists

  /// A member of `stackFrames`.
  mutating func addFrame(_ id: ChromeEvent.Text, _ frame: JSONView, _ builder: inout TraceBuilder) {
    var (name, image, file): (StringID?, StringID, StringID) = (.empty, .empty, .empty)
    var (line, caller) = (UInt32(0), Int32?.none)
    frame.forEachMember { key, value in
      switch String(decoding: key, as: UTF8.self) {
      case "name": name = value.frameName(&builder)
      case "category": image = value.frameName(&builder) ?? .empty
      case "parent": caller = Self.number(ChromeEvent.Text(value), &builder)
      // Only launchprof writes these two.
      case "file": file = value.frameName(&builder) ?? .empty
      case "line": line = value.integer.flatMap { UInt32(exactly: $0) } ?? 0
      default: break
      }
    }
    guard let number = Self.number(id, &builder) else { return }
    if name == .empty { name = builder.string("(anonymous)") }
    let place = name.flatMap { builder.place(of: StackTable.Frame(function: $0, image: image, file: file, line: line)) }
    stacks.add(StackNodes.ID(tree: Self.listedTree, number: number), caller: caller, frame: place ?? -1, &builder)
  }

  /// An element of `samples`.
  mutating func add(_ sample: ChromeEvent, thread: TrackID?, _ builder: inout TraceBuilder) {
    guard let time = sample.time else { return builder.ignored("samples with no time") }
    var weight: Int64? = 1
    if case .number(let bytes) = sample.weight { weight = JSONView(bytes: bytes).integer }
    guard let weight else { return builder.ignored("samples whose weight is too large") }
    let row = builder.trace.samples.count
    let number = Self.number(sample.stackFrame, &builder)
    builder.sample(track: thread, time: time, stack: number ?? -1, weight: weight)
    if let last = listed.last, last.upperBound == row {
      listed[listed.count - 1] = last.lowerBound..<row + 1
    } else {
      listed.append(row..<row + 1)
    }
  }

  /// What launchprof writes about its samples, because the format does not say it.
  mutating func readOtherData(_ data: JSONView) {
    if let unit = data["sampleUnit"]?.string, !unit.isEmpty { listedUnit = unit }
    if data["samplesHaveNoTimes"]?.isTrue == true { listedHaveTimes = false }
    if data["samplesIncludeWaits"]?.isTrue == true { listedIncludeWaits = true }
  }

  /// The number of an id of `stackFrames`, which is text, and mostly the text of a number.
  private static func number(_ id: ChromeEvent.Text, _ builder: inout TraceBuilder) -> Int32? {
    switch id {
    case .none: return nil
    case .number(let bytes), .string(let bytes, isEscaped: false):
      let isPlain = bytes.count == 1 || bytes.first != UInt8(ascii: "0")
      if isPlain, let number = bytes.decimal, number < Track.firstMadeID { return Int32(number) }
    case .string: break
    }
    return Track.madeID(id.intern(&builder.trace.strings))
  }

  // MARK: The end

  /// Gives all samples their stacks, and those of V8's profiles their times and threads. Everything else has been read.
  mutating func finish(_ builder: inout TraceBuilder) {
    if builder.trace.samples.count == 0 { return }
    stacks.makeRows(&builder)
    finishListed(&builder)
    for profile in profiles { profile.finish(stacks, &builder) }
    builder.trace.samples.removeLeftOut()
    stacks = StackNodes()
  }

  private func finishListed(_ builder: inout TraceBuilder) {
    if listed.isEmpty { return }
    builder.trace.perfettoLacksSamples = true
    builder.trace.sampleUnit = listedUnit
    builder.trace.samplesWaits = listedIncludeWaits
    let others = builder.trace.slices.count + builder.trace.instants.count + profiles.count
    builder.trace.hasTimes = listedHaveTimes || others > 0
    // A trace has one unit, and that of V8's profiles is the time.
    let isLeftOut = !profiles.isEmpty && listedUnit != "ns"
    for rows in listed {
      if isLeftOut { builder.skipped("samples that do not count time", count: rows.count) }
      for row in rows {
        let id = StackNodes.ID(tree: Self.listedTree, number: builder.trace.samples.stack[row])
        builder.trace.samples.stack[row] = stacks.node(id)?.row ?? -1
        if isLeftOut { builder.trace.samples.leaveOut(row) }
      }
    }
  }
}
