// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Launches as a processed profile of Firefox Profiler, which also opens profiles of older versions: it upgrades them.
///
/// Version 60 is the first in which threads share one table of stacks, so that a stack is written once. Launches are
/// processes that begin together, at 0.
struct FirefoxRenderer: ReportRenderer {
  static let processedVersion = 60
  /// The version of Firefox's own format that belongs to it.
  static let geckoVersion = 31

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var tables = FirefoxTables(launches.launches.first?.timeline.trace.strings ?? StringTable())
    try JSONWriter.object(to: sink, ascii: options.ascii, layout: .compact) { json in
      json.object("meta") { Self.writeMeta(launches, to: &$0) }
      json.array("threads") { json in
        for launch in launches.launches {
          let shown = ViewerLaunch(launch, mainThreadOnly: options.mainThreadOnly)
          let isAlone = launches.launches.count == 1
          let process = FirefoxProcess(shown: shown, isAlone: isAlone, stacks: tables.addStacks(launch.timeline.trace))
          process.write(to: &json, tables: &tables)
          if json.hasFailed { return }
        }
      }
      // What the threads refer to is known only now; the order of members has no meaning.
      tables.write(to: &json)
    }
  }

  private static func writeMeta(_ launches: LaunchSet, to json: inout JSONWriter) {
    let first = launches.launches.first?.timeline
    json.values([
      "preprocessedProfileVersion": processedVersion, "version": geckoVersion,
      "product": first.flatMap { $0.program.isEmpty ? nil : $0.program } ?? "launch", "importedFrom": "launchprof",
      "processType": 0, "stackwalk": 1, "interval": 1,
      // Not of Firefox, which ignores it: the times of samples are sums of weights.
      "untimed": first?.isUntimed == true ? true : nil,
    ])
    json.milliseconds("startTime", first?.wallClockStart?.nanoseconds ?? 0)
    let machine = first?.machine
    json.values([
      "arguments": first.map { $0.commandLine.dropFirst().joined(separator: " ") }, "oscpu": machine?.kernel,
      "CPUName": machine?.cpuModel, "logicalCPUs": machine?.cpus,
      // Names are in the file already, so the viewer need not look for symbols.
      "symbolicated": true, "symbolicationNotSupported": true, "sourceCodeIsNotOnSearchfox": true,
      "usesOnlyOneStackType": true, "keepProfileThreadOrder": true,
    ])
    json.objects("categories", FirefoxCategory.allCases) { json, category in
      json.values(["name": category.name, "color": category.color])
      json.texts("subcategories", ["Other"])
    }
    json.objects("markerSchema", FirefoxSchema.all) { $1.write(to: &$0) }
  }
}
