// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The data of one launch for the page: the facts of the JSON report, and columns for drawing.
///
/// Times are ns from the start of the launch. Names are rows of `strings`.
struct PageLaunch {
  private let launch: LaunchSet.Launch
  private let timeline: LaunchTimeline
  private let options: ReportOptions
  private var strings: PageStrings
  /// Rows of the events of the program. Those of the launcher are in the facts.
  private let instants: [Int32]

  init(_ launch: LaunchSet.Launch, options: ReportOptions) {
    self.launch = launch
    self.options = options
    timeline = launch.timeline
    strings = PageStrings(launch.timeline.trace.strings)
    instants = timeline.programInstants(mainThreadOnly: options.mainThreadOnly)
  }

  mutating func write(to json: inout JSONWriter) {
    json.object("facts") { JSONLaunch(launch: launch, options: options).writeFacts(to: &$0) }
    json.texts("circumstances", timeline.labels.circumstances)
    json.values(["command": CommandText.of(timeline), "end": text.header.end, "failure": text.header.failure])
    if let absence = FlameSection.absence(timeline, timeline.largeFlame, options) {
      json.values(["nothing": absence.text, "isDrawn": absence.isDrawn])
    }
    let slices = PageSlices(timeline, mainThreadOnly: options.mainThreadOnly)
    json.texts(
      "notes",
      [text.header.unknownEnd].compactMap(\.self) + text.header.remarks(textOptions.style) + text.notes.shortcomings
        + [notDrawn(slices)].compactMap(\.self))
    json.value("extendedEnd", timeline.extendedEnd - timeline.start)
    let main = timeline.mainThread?.rawValue ?? -1
    json.value("mainThread", main)
    json.objects("tracks", timeline.trace.tracks.indices) { json, track in
      json.value("title", timeline.trace.title(ofTrack: Int32(track), isMain: Int32(track) == main))
      json.value("kind", "\(timeline.trace.tracks[track].kind)")
    }
    slices.write(to: &json, strings: &strings)
    writeInstants(to: &json)
    PageCounters(timeline: timeline).write(to: &json, strings: &strings)
    if timeline.states.isKnown { PageStates(timeline: timeline).write(to: &json, strings: &strings) }
    writeFlames(to: &json)
    json.object("shortNames") { json in
      json.column("name", strings.shortNames.map(\.name))
      json.column("short", strings.shortNames.map(\.short))
    }
    json.texts("strings", strings.strings)
  }

  /// What the text report says of the total, and what the trace lacks, in its words.
  private var text: LaunchText { LaunchText(launch, options: textOptions) }

  private var textOptions: ReportOptions {
    var options = options
    options.ascii = false
    return options
  }

  /// What the timeline leaves out without a sign; nil if it draws everything.
  private func notDrawn(_ slices: PageSlices) -> String? {
    let events = instants.count - Self.mostInstants
    var texts: [String] = []
    if events > 0 { texts.append("This page does not draw \(events) of the events.") }
    if slices.tooDeep > 0 {
      texts.append(
        "The timeline does not draw \(slices.tooDeep) of the intervals, which are below level \(PageSlices.deepest). "
          + "The flame graph has them.")
    }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  private static let mostInstants = 20_000

  /// Of too many events, some of the whole launch are written.
  private mutating func writeInstants(to json: inout JSONWriter) {
    let table = timeline.trace.instants
    let count = min(instants.count, Self.mostInstants)
    let shown = (0..<count).map { Int(instants[$0 * instants.count / count]) }
    json.object("instants") { json in
      json.column("time", shown.map { table.time[$0] - timeline.start })
      json.column("track", shown.map { table.track[$0] })
      json.column("name", shown.map { strings.row(of: table.name[$0]) })
    }
  }

  private mutating func writeFlames(to json: inout JSONWriter) {
    let code = timeline.sampledCode
    json.object("flames") { json in
      let spans = timeline.largeFlame
      if !spans.isSampled {
        var page = PageFlame(spans, start: timeline.start, mainThreadOnly: options.mainThreadOnly)
        page.libraries = timeline.spanLibraries(of: page.rows)
        json.object("spans") { page.write(to: &$0, strings: &strings) }
      }
      guard let code else { return }
      var page = PageFlame(code.tree, start: timeline.start, mainThreadOnly: options.mainThreadOnly)
      page.isOfFunctions = true
      page.libraries = page.rows.map { code.libraries[$0] }
      page.modules = page.rows.map { code.modules[$0] }
      page.sources = page.rows.map { source(code.frames[$0]) }
      json.object("samples") { page.write(to: &$0, strings: &strings) }
      if !spans.isSampled, code.tree.unit == "ns" {
        var merged = PageFlame(timeline.largeMergedFlame, start: timeline.start, mainThreadOnly: options.mainThreadOnly)
        (merged.libraries, merged.modules) = timeline.mergedCode(of: merged.rows, code)
        json.object("merged") { merged.write(to: &$0, strings: &strings) }
      }
      PageSamples(timeline: timeline, code: code, kept: page.places).write(to: &json)
    }
  }

  /// `file:line` of a frame, as far as it is known. A long path, which a thousand functions may share, is cut at its beginning.
  private func source(_ frame: Int32) -> String {
    guard frame >= 0 else { return "" }
    let place = timeline.trace.stacks[Int(frame)]
    let file = timeline.trace.strings[StringID(rawValue: place.file)]
    let end = file.utf8.count > 256 ? "…" + String(decoding: file.utf8.suffix(256), as: UTF8.self) : file
    return file.isEmpty || place.line == 0 ? end : "\(end):\(place.line)"
  }
}
