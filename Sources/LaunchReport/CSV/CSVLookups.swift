// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a first look-up a launch.
struct CSVLookups {
  static let header =
    "launch,kind,type,protocol,cause,thread,main_thread,start_ns,total_ns,self_ns,repeats,asker" + CSVField.lineEnd

  private let launch: LaunchSet.Launch

  init(_ launch: LaunchSet.Launch) { self.launch = launch }

  func write(to output: inout OutputBuffer) {
    for lookup in launch.timeline.lookups.lookups {
      let fields = [
        "\(launch.number)", lookup.kind.rawValue, CSVField.text(lookup.type), CSVField.text(lookup.protocolName ?? ""),
        lookup.cause.rawValue, CSVField.text(lookup.thread), lookup.isOnMainThread ? "true" : "false",
        "\(lookup.start - launch.timeline.start)", "\(lookup.duration)", "\(lookup.selfTime)", "\(lookup.repeats)",
        CSVField.text(lookup.asker),
      ]
      output.append(fields.joined(separator: ",") + CSVField.lineEnd)
    }
  }
}
