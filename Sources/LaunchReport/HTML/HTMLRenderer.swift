// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A report as one HTML file (docs/html.md).
struct HTMLRenderer: ReportRenderer {
  /// The largest size of all launches' data, bytes. Further launches appear only in the page's overview.
  private static let mostLaunchBytes = 8_000_000

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    let title = Self.title(launches)
    try HTMLDocument.writeHead(Self.titleWithCommand(launches) ?? title, to: sink)
    let written = try writeLaunches(launches, options, to: sink)
    try HTMLDocument.writeData(HTMLDocument.page, to: sink) { json in
      json.values([
        "kind": "launches", "title": title, "unit": launches.countedUnit ?? "ns", "opened": written.first ?? 0,
        "failures": FailedLaunches(failed: launches)?.summary,
      ])
      let remarks = launches.launches.count > 1 ? launches.remarks : []
      json.texts("remarks", remarks + [Self.absent(launches.launches.count - written.count)].compactMap(\.self))
      if launches.launches.count > 1 { json.object("summary") { JSONRenderer.write(launches, options, to: &$0) } }
      json.objects("launches", launches.launches) { Self.write($1, isWritten: written.contains($1.number), to: &$0) }
    }
    try HTMLDocument.writeEnd(to: sink)
  }

  /// Traces of other tools may name no program: then the file says what it is.
  private static func title(_ launches: LaunchSet) -> String {
    guard let first = launches.launches.first else { return "Launch" }
    let programs = LaunchSet.programs(launches.launches).count
    if programs > 1 { return "\(launches.launches.count) launches of \(programs) programs" }
    let program = PlainName.escaped(first.timeline.program)
    return program.isEmpty ? PlainName.escaped(first.title) : "\(kind(launches)) of \(program)"
  }

  private static func kind(_ launches: LaunchSet) -> String { launches.launches.count > 1 ? "Launches" : "Launch" }

  private static let mostScalarsOfTitle = 200

  /// In the tabs of a browser, the command distinguishes pages of one program. nil if it is not that of all launches.
  private static func titleWithCommand(_ launches: LaunchSet) -> String? {
    guard let first = launches.launches.first?.timeline,
      launches.launches.allSatisfy({ $0.timeline.commandLine == first.commandLine }),
      let command = CommandText.of(first)
    else { return nil }
    return "\(kind(launches)) of \(PlainName.cut(command, to: mostScalarsOfTitle))"
  }

  /// What the page says of launches whose data it does not contain; nil for none.
  private static func absent(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let launches = count == 1 ? "1 launch is" : "\(DecimalText.grouped(count)) launches are"
    return "\(launches) in the statistics only, because the page would be too large. Report single files to see more."
  }

  /// The median launch comes first, because the page opens it, then the slowest and the fastest.
  ///
  /// - Returns: the numbers of the launches that are in the page.
  private func writeLaunches(_ launches: LaunchSet, _ options: ReportOptions, to sink: any ByteSink) throws -> [Int] {
    let byTotal = launches.counted.sorted { ($0.timeline.total, $0.number) < ($1.timeline.total, $1.number) }
    let first = [launches.medianLaunch, byTotal.last, byTotal.first].compactMap(\.self)
    let order = (first + launches.launches).grouped(by: \.number).map { $0.members[0] }
    var (written, bytes): ([Int], Int) = ([], 0)
    for launch in order where bytes < Self.mostLaunchBytes {
      let counter = CountingSink(sink)
      try HTMLDocument.writeData(Self.id(launch), to: counter) { json in
        var page = PageLaunch(launch, options: options)
        page.write(to: &json)
      }
      written.append(launch.number)
      bytes += counter.count
    }
    return written
  }

  /// The id of the launch's data.
  private static func id(_ launch: LaunchSet.Launch) -> String { "launch-\(launch.number)" }

  private static func write(_ launch: LaunchSet.Launch, isWritten: Bool, to json: inout JSONWriter) {
    let timeline = launch.timeline
    json.values([
      "number": launch.number, "name": launch.name, "leftOut": launch.leftOut?.rawValue,
      "failure": launch.leftOut == .failed
        ? FailedLaunches.words(LaunchFailure(timeline), isPlural: false) : nil,
      "total": timeline.total, "end": timeline.endMilestone, "budget": timeline.budget,
      "data": isWritten ? id(launch) : nil,
    ])
    json.objects("phases", timeline.phases) { json, phase in
      json.values(["id": phase.id, "start": phase.start - timeline.start, "duration": phase.duration])
    }
  }
}

/// Counts the bytes that it passes on.
private final class CountingSink: ByteSink {
  private let sink: any ByteSink
  private(set) var count = 0

  init(_ sink: any ByteSink) { self.sink = sink }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    count += bytes.count
    try sink.write(bytes)
  }
}
