// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a lazy global a launch.
struct CSVGlobals {
  static let header =
    "launch,global,module,owner,path,thread,main_thread,start_ns,total_ns,self_ns,asker,waiters,waited_ns,flags"
    + CSVField.lineEnd

  private let launch: LaunchSet.Launch

  init(_ launch: LaunchSet.Launch) { self.launch = launch }

  func write(to output: inout OutputBuffer) {
    for global in launch.timeline.lazyGlobals.globals {
      let fields = [
        "\(launch.number)", CSVField.text(global.name), CSVField.text(global.module ?? ""), global.owner.rawValue,
        CSVField.text(global.image), CSVField.text(global.thread), global.isOnMainThread ? "true" : "false",
        "\(global.start - launch.timeline.start)", "\(global.duration)", "\(global.selfTime)",
        CSVField.text(global.asker), "\(global.waiters.count)", "\(global.waiters.reduce(0) { $0 + $1.duration })",
        global.isUnfinished ? "unfinished" : "",
      ]
      output.append(fields.joined(separator: ",") + CSVField.lineEnd)
    }
  }
}
