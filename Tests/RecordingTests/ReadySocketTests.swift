// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `--ready listen`: a program is ready when it listens on a socket.
final class ReadySocketTests: CommandSuite {
  @Test(arguments: ["port", "worker", "path", "relative path", "@path"], [true, false])
  func aSocketThatListens(kind: String, isDefault: Bool) throws {
    let program = try BuiltProgram.foreign("milestones")
    let path = kind == "@path" ? "@\(launchprof.directory.path)/s" : launchprof.directory.appending("s")
    let isPath = kind.hasSuffix("path")
    let bound = kind == "relative path" ? "s" : path
    let command = isPath ? [program, "path", bound] : [program, kind]
    let rule = isPath ? "listen:\(path)" : "listen"
    let (run, report) = try launchprof.reported(
      command,
      options: isDefault ? ["--timeout", "1.5"] : ["--ready", rule, "--settle", "200ms"])
    #expect(run.outcome == .exited(isDefault ? 124 : 0))
    try report.expectReady(rule: "listen", isDefault: isDefault, before: 50_000_000, after: 200_000_000)
    #expect(report.outcome == (isDefault ? "timed-out" : "ended"))
    if isPath {
      #expect(report.detail("ready") == bound)
    } else {
      #expect(report.detail("ready") == String(run.text.dropLast()))
    }
  }

  @Test(Namespaces.needed(["--net"])) func aSocketInAnotherNetworkNamespace() throws {
    let command = ["unshare", "--net", try BuiltProgram.foreign("milestones"), "path", "s"]
    let (run, report) = try launchprof.reported(command, options: ["--ready", "listen", "--settle", "200ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(report.readyRule == "listen" && report.detail("ready") == "s")
  }

  /// That of another number is no sign.
  @Test func aPortByItsNumber() throws {
    let ports = try (0..<2).map { _ in try FreePort.find() }
    let script = "'\(try BuiltProgram.foreign("milestones"))' port \(ports[0]) & sleep 0.3; "
    let program = "'\(try BuiltProgram.foreign("milestones"))' port \(ports[1])"
    let (run, report) = try launchprof.reported(
      ["sh", "-c", "\(script) exec \(program)"], options: ["--ready", "listen:\(ports[1])", "--settle", "200ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    try report.expectReady(rule: "listen", isDefault: false, before: 350_000_000, after: 200_000_000)
    #expect(report.detail("ready") == "port \(ports[1])")
  }

  /// xvfb-run and dbus-run-session were ready when the display or the bus was, before they had started the program.
  @Test(arguments: ["wayland-9", "dbus-Xa1b2", "s"]) func theSessionOfAProgramIsNotTheProgram(name: String) throws {
    let server = "'\(try BuiltProgram.foreign("milestones"))' path \(name)"
    func end(_ script: String, timeout: String) throws -> String? {
      let (_, report) = try launchprof.reported(["sh", "-c", script], options: ["--timeout", timeout])
      return report.detail("ready")
    }
    let helper = try end(
      "\(server) & \(shellWait(until: "[ -S \(name) ]")); sleep 1.5; kill $!; rm \(name)", timeout: "4")
    #expect((helper?.hasSuffix(name) == true) == (name == "s"), "\(helper ?? "")")
    #expect(try end("exec \(server)", timeout: "2")?.hasSuffix(name) == true)
  }

  @Test func whereItListensInsteadIsSaid() throws {
    let ports = try (0..<2).map { _ in try FreePort.find() }
    let run = try launchprof.run(
      ["record", "-o", "t.pftrace", "--ready", "listen:\(ports[1])", "--timeout", "1.5", "--"]
        + [try BuiltProgram.foreign("milestones"), "port", "\(ports[0])"])
    #expect(
      run.errorText.contains(
        "The program never met --ready listen:\(ports[1]). It listened on port \(ports[0]) instead."),
      "\(run.errorText)")
  }

  /// As a service of docker or systemd, which the program only asks for.
  @Test func aSocketOfAProcessOutsideOfTheLaunchIsSaid() throws {
    let (program, port) = (try BuiltProgram.foreign("milestones"), try FreePort.find())
    let script = "\(shellWait(until: "[ -e begun ]")); exec '\(program)' port \(port)"
    let service = try RunningProcess.start("/bin/sh", ["-c", script], directory: launchprof.directory.path)
    defer { service.signal(SIGKILL) }
    let run = try launchprof.run(
      ["record", "-o", "t.pftrace", "--ready", "listen:\(port)", "--timeout", "2.5", "--", "sh", "-c"]
        + [": > begun; sleep 100"])
    #expect(run.outcome == .exited(124))
    #expect(run.errorText.inOneLine.contains("A process that it did not start listens there"), "\(run.errorText)")
  }

  @Test func whatNeverComesIsAFailedLaunch() throws {
    let (run, report) = try launchprof.reported(["true"], options: ["--ready", "listen:4"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "exit" && !report.isComplete)
    #expect((report.finding("failed-launch")?["advice"] as? String)?.contains("never listened on 4") == true)
  }

  @Test func theTextSaysWhichRuleItWas() throws {
    // It listens for a second at least, however late it begins on a busy machine.
    let script = """
      rm -f said; printf x; '\(try BuiltProgram.foreign("milestones"))' port > said &
      \(shellWait(until: "[ -s said ]")); sleep 1; kill $!
      """
    for (options, words) in [([], "ready by default"), (["--ready", "listen", "--settle", "0"], "ready")] {
      let run = try launchprof.run(["record", "-o", "t.pftrace"] + options + ["--", "sh", "-c", script])
      let line = try Regex(" \(words): it listens[^,]*, seen up to [0-9.]+ [mµ]?s late")
      #expect(run.errorText.inOneLine.contains(line), "\(run.errorText)")
    }
  }

  @Test func ofSeveralRunsEachEndsOnceItIsReady() throws {
    let program = try BuiltProgram.foreign("milestones")
    let run = try launchprof.run(["record", "-n", "3", "-o", "t/", "--ready", "listen", "--", program, "port"])
    #expect(run.outcome == .exited(0))
    #expect(run.text.split(separator: "\n").count == 3)
    #expect(run.errorText.contains("3 launches") && run.errorText.contains("to ready"), "\(run.errorText)")
  }

  @Test func aSeriesThatGoesOnSaysHowToEndIt() throws {
    let program = try BuiltProgram.foreign("milestones")
    let run = try launchprof.run(["record", "-n", "2", "-o", "t/", "--timeout", "3.5", "--", program, "port"])
    #expect(run.outcome == .exited(124))
    #expect(run.errorText.contains("--ready listen"), "\(run.errorText)")
  }

  /// The first launch went on for ten minutes, and counted for nothing.
  @Test func aProgramThatKeepsRunningNeedsARule() throws {
    let program = try BuiltProgram.foreign("milestones")
    let rule = "still ran seconds later; to end each launch when it is ready, add --ready listen"
    let commands = [
      (["bench"], rule), (["gate", "init", "-o", "budgets.yml"], rule),
      // What is launched is a copy, which is gone when the user reads the message.
      (["bench", "--warmup", "0", "--vs", "true"], "\(program): the head listened (port "),
    ]
    // Each of them waits for ten seconds, so they do it at the same time.
    let running = try commands.indices.map { place in
      let folder = launchprof.directory.appending("\(place)")
      mkdir(folder, 0o777)
      return try RunningProcess.start(
        Launchprof.path, commands[place].0 + ["--", program, "port"], directory: folder)
    }
    for ((words, message), process) in zip(commands, running) {
      let run = try process.finish()
      #expect(run.outcome == .exited(64), "\(words): \(run.errorText)")
      #expect(run.errorText.inOneLine.contains(message), "\(words): \(run.errorText)")
    }
  }
}
