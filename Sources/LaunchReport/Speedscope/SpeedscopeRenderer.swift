// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Launches in speedscope's file format (its `file-format-spec.ts`), times in nanoseconds.
///
/// A thread's intervals and phases are an `evented` profile, its samples a `sampled` one, and the main thread's states an
/// `evented` one. Launches follow each other; each begins at 0. speedscope opens the profile of the first launch that says
/// the most.
struct SpeedscopeRenderer: ReportRenderer {
  static let schema = "https://www.speedscope.app/file-format-schema.json"

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var frames = SpeedscopeFrames(launches.launches.first?.timeline.trace.strings ?? StringTable())
    try JSONWriter.object(to: sink, ascii: options.ascii, layout: .compact) { json in
      json.values(["$schema": Self.schema, "exporter": "launchprof", "name": Self.name(launches)])
      var active: Int?
      json.array("profiles") { json in
        for launch in launches.launches {
          let shown = ViewerLaunch(launch, mainThreadOnly: options.mainThreadOnly)
          let prefix = launches.launches.count > 1 ? "\(shown.title): " : ""
          let best = SpeedscopeLaunch(shown: shown, prefix: prefix).write(to: &json, frames: &frames)
          active = active ?? best
          if json.hasFailed { return }
        }
      }
      // These are known only now; the order of members has no meaning.
      json.value("activeProfileIndex", active ?? 0)
      json.object("shared") { frames.write(to: &$0) }
    }
  }

  private static func name(_ launches: LaunchSet) -> String {
    let program = launches.launches.first?.timeline.program ?? ""
    return program.isEmpty ? "launch" : "launch of \(program)"
  }
}
