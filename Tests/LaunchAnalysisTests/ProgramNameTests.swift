// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchRecord
import TestSupport
import Testing

/// `launchprof record -- sh -c 'notes-server; …'`: the record is of the program that recorded itself.
struct ProgramNameTests {
  private func timeline(
    launched: String, hasRecorder: Bool = true, command: [String]? = nil, executed: [String] = []
  ) -> LaunchTimeline {
    var launch = SampleLaunch()
    for (place, path) in executed.enumerated() {
      launch.instant("exec", at: Int64(place), category: CategoryName.point, [("path", .string(path))])
    }
    if let command { launch.builder.describe(processID: launch.processID, commandLine: command) }
    if hasRecorder { launch.recorder(preinit: 0) }
    launch.mark("ready", at: 10_000_000)
    launch.launcher(
      exit: 20_000_000,
      [
        ("program", .string(launched)),
        (
          "image",
          .dictionary([
            "libraries": .array([]), "library_bytes": .int(0), "relocations": .int(7), "initializers": .int(0),
            "bytes": .int(1), "build_id": .string("abcd"),
          ])
        ),
      ])
    return LaunchTimeline(trace: launch.trace())
  }

  /// Fleets had the launches of all such programs as launches of `sh`, with the build of the shell.
  @Test(arguments: ["/usr/bin/sh", "/usr/bin/env", "taskset"])
  func aWrapperIsNotTheProgram(wrapper: String) {
    let timeline = timeline(launched: wrapper)
    // A gate finds its baseline by what is launched.
    #expect(timeline.program == wrapper.split(separator: "/").last.map(String.init))
    let record = timeline.record()
    #expect(record.text(.program) == "notes-server")
    #expect(record.text(.build) == nil && !record.line.contains("count.relocations"))
  }

  @Test func theLaunchedProgramHasItsOwnBuild() {
    let record = timeline(launched: "/opt/bin/notes-server").record()
    #expect(record.text(.program) == "notes-server" && record.text(.build) == "abcd")
    #expect(record.line.contains("\"count.relocations\":7"))
  }

  /// `nice ./app` had the build of `nice` with the phases of the program. `compare` took two builds of it for one program.
  @Test(arguments: [["/usr/bin/nice", "/srv/app"], ["/srv/app", "/srv/app"], ["/srv/app"], []])
  func theBuildIsThatOfTheFileThatRan(executed: [String]) {
    let timeline = timeline(launched: executed.first ?? "/srv/app", hasRecorder: false, executed: executed)
    let isWrapped = executed.first == "/usr/bin/nice"
    let record = timeline.record()
    #expect(record.text(.build) == (isWrapped ? nil : "abcd"))
    #expect(record.line.contains("count.relocations") != isWrapped)
    #expect((timeline.provenance.image == nil) == isWrapped)
  }

  @Test func aProgramThatRecordedItselfAndExecutesAnotherOneKeepsItsBuild() {
    let executed = ["/opt/bin/notes-server", "/usr/bin/less"]
    #expect(timeline(launched: executed[0], executed: executed).record().text(.build) == "abcd")
  }

  @Test func aScriptAndAProgramWithoutRecorderKeepTheirNames() {
    let script = timeline(launched: "./notes.py", command: ["python3", "./notes.py"])
    #expect(script.record().text(.program) == "notes.py")
    #expect(timeline(launched: "/usr/bin/env", hasRecorder: false).record().text(.program) == "env")
  }
}
