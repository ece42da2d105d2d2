// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

/// Children of a program that the launcher watches by breakpoint instructions, and that ends at once.
struct LeftChildTests {
  private static let source = """
    #include <spawn.h>
    #include <string.h>
    #include <unistd.h>
    int main(int count, char **arguments) {
      char *echo[] = {"echo", "child", NULL};
      pid_t child;
      if (strcmp(arguments[1], "spawn") == 0) posix_spawn(&child, "/bin/echo", NULL, NULL, echo, NULL);
      else if (fork() == 0) write(1, "child\\n", 6);
      _exit(0);
    }
    """

  /// Launches the program, which runs on.
  private func start(_ way: String, _ program: String, output: Int32) throws -> (LaunchObservation, CallBreakpoints) {
    let arguments = CStringList([program, way].map { Array($0.utf8) })
    let environment = CStringList([])
    var request = lo_request(
      candidates: arguments.pointer, arguments: arguments.pointer, environment: environment.pointer, directory: nil,
      stamp: nil,
      ids: nil, output: output, error: -1, inherited: -1, prepare: { _, process in _ = lo_trace_seize(process) },
      context: nil, delay_ns: 0)
    // There is only one file to execute.
    var candidates = [arguments.pointer[0], nil]
    var launched = lo_launched()
    candidates.withUnsafeMutableBufferPointer { candidates in
      request.candidates = UnsafePointer(candidates.baseAddress)
      lo_launch(&request, &launched)
    }
    withExtendedLifetime((arguments, environment)) {}
    close(launched.pidfd)
    try #require(lo_trace_wait_for_exec(launched.pid))
    let images = ImageCache()
    let addresses = try #require(LoadAddresses(processID: launched.pid, images: images))
    let offsets = [program: [RuntimeProbes.FunctionOffset(place: 0, offset: 0, isCounted: false)]]
    let calls = try #require(
      CallBreakpoints(processID: launched.pid, offsets: offsets, addresses: addresses, tellsExits: false))
    let observation = LaunchObservation(
      ObservationOptions(), images: images, rings: PerfRings(), runtime: RuntimeProbes())
    observation.launch.processID = launched.pid
    (observation.calls, observation.isAttached) = (calls, true)
    #expect(lo_trace_continue(launched.pid, 0) == 0)
    return (observation, calls)
  }

  /// Follows the first thread to its end. Nothing handles the child in the meantime, except that a child of vfork may begin,
  /// because its parent waits for it.
  private func follow(_ process: Int32, _ calls: CallBreakpoints, _ way: String) throws {
    var status = lo_status()
    try waitUntil("the program has ended") {
      lo_poll_child(process, &status)
      try #require(status.state != LO_GONE && status.state != LO_SIGNALLED)
      guard status.state == LO_STOPPED else { return status.state == LO_EXITED }
      let isMade = calls.takeFirst(status) != nil
      if !isMade { _ = lo_trace_continue(process, status.event == 0 ? status.code : 0) }
      if isMade, way == "spawn" { try waitUntil("the child is there") { calls.look() } }
      return false
    }
  }

  /// - Parameter isEnded: the launcher sees the program end. Otherwise it lets the program go while that makes the child.
  @Test(arguments: ["fork", "spawn"], [true, false]) func aChildGoesOn(way: String, isEnded: Bool) throws {
    let directory = try TemporaryDirectory()
    let program = try CompiledProgram.c(Self.source, "parent", in: directory)
    var (source, programEnd): (Int32, Int32) = (-1, -1)
    try #require(lo_pipe(&source, &programEnd) == 0)
    let (observation, calls) = try start(way, program, output: programEnd)
    let process = observation.launch.processID
    close(programEnd)
    defer { close(source) }
    if isEnded {
      try follow(process, calls, way)
      observation.takeCalls()
    } else {
      // It has stopped because it has a child now.
      try waitUntil("the program has stopped") { Descendants.Process(id: process)?.state == "t" }
      observation.letGo(within: 60_000_000_000)
      #expect(waitpid(process, nil, 0) == process)
    }
    var polled = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
    try #require(poll(&polled, 1, 60_000) == 1, "the child is still stopped")
    var text = [UInt8](repeating: 0, count: 16)
    #expect(read(source, &text, text.count) == 6)
    #expect(String(decoding: text.prefix(6), as: UTF8.self) == "child\n")
  }
}
