// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `--ready window`: a program is ready when it shows a window.
final class ReadyWindowTests: CommandSuite {
  @Test(arguments: [["--ready", "window", "--settle", "0.1"], ["--timeout", "60"]])
  func theFirstWindow(options: [String]) throws {
    let display = try XDisplay(in: launchprof.directory)
    let program = try BuiltProgram.foreign("window")
    let (run, report) = try launchprof.reported([program, "1500"], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0))
    #expect(run.text == "activated\n")
    try report.expectReady(rule: "window", isDefault: options[0] != "--ready", before: 1_000_000, after: 90_000_000)
  }

  /// The compositor tells nothing about other programs' windows, so launchprof passes on what the program sends.
  @Test(arguments: [["--ready", "window", "--settle", "0.1"], ["--timeout", "60"]])
  func theFirstWindowOnWayland(options: [String]) throws {
    let display = try WaylandDisplay()
    let program = try BuiltProgram.foreign("window")
    let (run, report) = try launchprof.reported([program, "1500"], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text == "activated\n")
    try report.expectReady(rule: "window", isDefault: options[0] != "--ready", before: 1_000_000, after: 90_000_000)
  }

  /// One has its connection when the launch ends, and the other connects later.
  @Test func aProgramThatIsLeftRunningKeepsItsDisplay() throws {
    let display = try WaylandDisplay()
    let program = try BuiltProgram.foreign("window")
    let script = """
      ('\(program)' 1000; echo $? > first) > shown &
      (\(shellWait(until: "[ -e over ]")); '\(program)' 100; echo $? > second) > /dev/null &
      \(shellWait(until: "[ -s shown ]"))
      """
    let run = try launchprof.run(
      ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script], adding: display.environment)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    try launchprof.directory.write("", to: "over")
    for file in ["first", "second"] {
      let path = launchprof.directory.appending(file)
      try waitUntil("the \(file) program has ended") { (try? String(contentsOfFile: path, encoding: .utf8)) == "0\n" }
    }
  }

  /// What passes on its messages keeps nothing else of the launcher, also before Linux 5.9.
  @Test func aProgramThatIsLeftRunningLetsTheOutputEnd() throws {
    let display = try WaylandDisplay()
    let program = try BuiltProgram.foreign("window")
    let script = """
      '\(program)' 600000 > shown 2>&1 &
      echo $! > id
      \(shellWait(until: "[ -s shown ]"))
      """
    let run = try TestProcess.run(
      BuiltProgram.product("restricted"),
      ["close-range", Launchprof.path, "record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script],
      adding: display.environment, directory: launchprof.directory.path)
    let id = String(decoding: try contents(launchprof.directory.appending("id")), as: UTF8.self)
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    #expect(kill(try #require(pid_t(id.dropLast())), SIGTERM) == 0)
  }

  /// Shows a window without _NET_WM_PID, as programs of Xt do, by the X protocol itself.
  private static let anonymous = """
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>
    static void receive(int server, void *bytes, size_t count) {
      for (char *at = bytes; count > 0;) {
        ssize_t got = read(server, at, count);
        if (got <= 0) exit(1);
        at += got; count -= got;
      }
    }
    int main(void) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.X11-unix/X%s", getenv("DISPLAY") + 1);
      int server = socket(AF_UNIX, SOCK_STREAM, 0);
      if (connect(server, (void *)&address, sizeof address) != 0) return 2;
      uint16_t hello[6] = {'l', 11};
      write(server, hello, sizeof hello);
      uint16_t head[4];
      receive(server, head, sizeof head);
      if ((head[0] & 0xff) != 1) return 3;
      uint8_t *setup = malloc(head[3] * 4);
      receive(server, setup, head[3] * 4);
      uint32_t window, root;
      uint16_t vendor;
      memcpy(&window, setup + 4, 4);
      memcpy(&vendor, setup + 16, 2);
      memcpy(&root, setup + 32 + (vendor + 3) / 4 * 4 + setup[21] * 8, 4);
      uint32_t request[10] = {1 | 8 << 16, window, root, 0, 100 | 100 << 16, 0, 0, 0, 8 | 2 << 16, window};
      write(server, request, sizeof request);
      sleep(2);
      puts("activated");
      return 0;
    }
    """

  @Test func aWindowWithoutAProcessCountsOnlyIfOneIsExpected() throws {
    let display = try XDisplay(in: launchprof.directory)
    let program = try CompiledProgram.c(Self.anonymous, "anonymous", in: launchprof.directory)
    try expectNone(of: program, display)
    let options = ["--ready", "window", "--settle", "0.1"]
    let (run, report) = try launchprof.reported([program], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(report.readyRule == "window")
  }

  @Test func aDisplayThatDoesNotAnswerIsLeftOut() throws {
    let display = try XDisplay(in: launchprof.directory)
    try display.hang()
    func record(_ options: [String]) throws -> TestProcess {
      try launchprof.run(
        ["record", "-q", "-o", "t.pftrace"] + options + ["--", "echo", "hi"], adding: display.environment, timeout: 60)
    }
    let run = try record([])
    #expect(run.succeeded && run.text == "hi\n", "\(run.errorText)")
    let asked = try record(["--ready", "window"])
    #expect(asked.outcome == .exited(125) && asked.errorText.inOneLine.contains("the X display does not answer"))
  }

  @Test func aDisplayThatRefusesTheUserIsLeftOut() throws {
    let display = try XDisplay(in: launchprof.directory, refusesUsers: true)
    let variables = display.environment.merging(["XAUTHORITY": "/nonexistent"]) { $1 }
    let run = try launchprof.run(["record", "-q", "-o", "t.pftrace", "--", "echo", "hi"], adding: variables)
    #expect(run.succeeded && run.text == "hi\n")
    #expect(run.errorText == "")
    let asked = try launchprof.run(["record", "-q", "--ready", "window", "--", "true"], adding: variables)
    #expect(asked.outcome == .exited(125))
    #expect(asked.errorText.inOneLine.contains("the X display cannot be reached"), "\(asked.errorText)")
  }

  @Test func theWindowOfAnotherProgramIsNone() throws {
    try expectNone(of: "'\(try BuiltProgram.foreign("window"))' 300", try XDisplay(in: launchprof.directory))
  }

  /// - Parameter command: shows a window while a program without windows runs.
  private func expectNone(of command: String, _ display: XDisplay) throws {
    let script = "\(command); : > shown"
    let (run, trace) = (
      try RunningProcess.start(
        Launchprof.path,
        ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", ": > begun; \(shellWait(until: "[ -e shown ]"))"],
        adding: display.environment, directory: launchprof.directory.path),
      "t.pftrace"
    )
    let begun = launchprof.directory.appending("begun")
    try waitUntil("the program has begun") { access(begun, F_OK) == 0 }
    let other = try TestProcess.run(
      "/bin/sh", ["-c", script], adding: display.environment, directory: launchprof.directory.path)
    #expect(other.text == "activated\n")
    #expect(try run.finish().outcome == .exited(0))
    #expect(try JSONReport(launchprof, trace).readyRule == "exit")
  }
}
