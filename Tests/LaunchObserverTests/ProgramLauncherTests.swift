// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Foundation
import Glibc
import LaunchSystem
import TestSupport
import Testing

@testable import LaunchObserver

extension InProcessLaunchTests {
  /// Launches real programs.
  @Suite struct ProgramLauncherTests {
    private func launch(
      _ program: String, _ arguments: [String], observing observation: ObservationOptions? = nil,
      _ change: (inout LaunchRequest) -> Void = { _ in }
    ) throws -> LaunchResult {
      var request = LaunchRequest(program: program, arguments: arguments.map { Array($0.utf8) })
      change(&request)
      return try withoutMask { try ProgramLauncher().launch(request, observing: observation).result }
    }

    private func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func text(_ path: String) throws -> String { try #require(fileText(path)) }

    @Test func theEndingIsPassedThrough() throws {
      #expect(try launch("true", []).ending == .exited(status: 0))
      #expect(try launch("sh", ["-c", "exit 42"]).ending == .exited(status: 42))
      #expect(try launch("sh", ["-c", "kill -USR1 $$"]).ending == .signalled(signal: SIGUSR1))
    }

    @Test func timesAreInOrderAndTheStampIsTheProgramsOwn() throws {
      let directory = try TemporaryDirectory()
      let before = now()
      let result = try launch("sh", ["-c", "echo $$ $LAUNCHPROF_START > \"$0\"", directory.appending("out")])
      #expect(before <= result.execTime && result.execTime < result.exitTime && result.exitTime <= now())
      #expect(
        try text(directory.appending("out")) == "\(result.processID) \(result.processID):\(result.execTime)\n")
      #expect(result.path.hasSuffix("/sh"))
    }

    @Test func usageIsThatOfTheProgram() throws {
      let result = try launch("sh", ["-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"])
      #expect(result.usage.userTime > 0)
      #expect(result.usage.minorFaults > 0)
      #expect(result.usage.userTime + result.usage.systemTime < UInt64(result.exitTime - result.execTime) * 2)
    }

    /// At execve, Linux starts a program's peak memory at its launcher's. Only a peak above the launcher's says anything.
    @Test func aPeakOfOursIsNotTheProgramsMemory() throws {
      for _ in 0..<10 { #expect(try launch("true", []).usage.peakResidentBytes == nil) }
      func ours() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
      }
      for _ in 1...20 {
        // dd allocates a buffer of one block.
        let before = ours()
        let block = UInt64(before) * 1024 + (64 << 20)
        let result = try launch("dd", ["if=/dev/zero", "of=/dev/null", "count=1", "bs=\(block)", "status=none"])
        // Other tests of this process may have needed more memory meanwhile.
        guard ours() == before else { continue }
        #expect((block..<block + (16 << 20)).contains(result.usage.peakResidentBytes ?? 0), "\(result.usage)")
        return
      }
      Issue.record("the memory of this process grew in each launch")
    }

    @Test func argumentsAndEnvironmentArriveByteForByte() throws {
      let directory = try TemporaryDirectory()
      let script = "printf %s \"$2\" > \"$1\"; env > \"$1.env\""
      setenv("LAUNCHPROF_TEST_FIRST", "a\u{1b}\nb", 1)
      defer { unsetenv("LAUNCHPROF_TEST_FIRST") }
      let odd: [UInt8] = [0xff, 0x20, 0x0a, 0x80]
      _ = try launch("sh", []) { request in
        request.arguments = ["-c", script, "sh", directory.appending("out")].map { Array($0.utf8) } + [odd]
        request.environment = ["ADDED": "x=y", "HOME": "/nowhere"]
      }
      let file = open(directory.appending("out"), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      #expect([UInt8](unsafeUninitializedCapacity: 64) { $1 = read(file, $0.baseAddress, 64) } == odd)
      let variables = try text(directory.appending("out.env"))
      #expect(variables.contains("LAUNCHPROF_TEST_FIRST=a\u{1b}\nb\n"))
      #expect(variables.contains("\nADDED=x=y\n"))
      #expect(variables.contains("\nHOME=/nowhere\n"))
    }

    @Test func theProgramIsInOurProcessGroupAndHasNoDescriptorsOfOurs() throws {
      let directory = try TemporaryDirectory()
      _ = try launch("sh", ["-c", "ps -o pgid= $$ > \"$0\"; ls /proc/self/fd > \"$0.fd\"", directory.appending("out")])
      #expect(Int32(try text(directory.appending("out")).filter(\.isNumber)) == getpgrp())
      // 0, 1, 2, those that the test runner inherited, and the one that ls opened, which has the first free number.
      let inherited = (3..<1024).filter { fcntl($0, F_GETFD) >= 0 && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
      let ofList = try #require((3..<1024).first { !inherited.contains($0) })
      let open = try text(directory.appending("out.fd")).split(separator: "\n").compactMap { Int32($0) }
      #expect(Set(open.filter { $0 > 3 }).isSubset(of: Set(inherited).union([ofList])))
    }

    /// A pipe. What is written to it becomes a signal of the kernel for this process alone, as a key on the terminal does while
    /// there is no program yet.
    private final class Key: Sendable {
      let ends: [Int32]

      init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        self.ends = ends
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // F_SETSIG
        #expect(fcntl(ends[0], F_SETOWN, getpid()) == 0 && fcntl(ends[0], 10, SIGTERM) == 0)
        #expect(fcntl(ends[0], F_SETFL, O_ASYNC) == 0)
      }

      deinit { for end in ends { close(end) } }

      func press() { write(ends[1], "x", 1) }
    }

    /// Ctrl-C while the launch is prepared.
    @Test func aSignalBeforeTheProgramBeginsReachesIt() throws {
      let key = try Key()
      let result = try launch("sleep", ["20"]) { request in
        request.lastly = {
          key.press()
          // Another thread may handle it.
          usleep(50_000)
        }
      }
      #expect(result.ending == .signalled(signal: SIGTERM))
      #expect(result.interruption == SIGTERM)
    }

    /// Ctrl-C when the launcher has blocked signals to make the process: it gets this one when the program runs.
    @Test func aSignalWhileTheProcessIsMadeReachesTheProgram() throws {
      // What is blocked when the watch begins is blocked in the program, too.
      try withoutMask {
        let signals = try SignalWatch()
        let key = try Key()
        let lists = (
          CStringList([Array("/bin/sleep".utf8)]), CStringList(["sleep", "20"].map { Array($0.utf8) }), CStringList([])
        )
        var launched = lo_launched()
        var request = lo_request(
          candidates: lists.0.pointer, arguments: lists.1.pointer, environment: lists.2.pointer, directory: nil,
          stamp: nil, ids: nil,
          output: -1, error: -1, inherited: -1, prepare: nil, context: Unmanaged.passUnretained(key).toOpaque(),
          delay_ns: 0)
        request.prepare = { context, _ in
          if let context { Unmanaged<Key>.fromOpaque(context).takeUnretainedValue().press() }
        }
        lo_launch(&request, &launched)
        withExtendedLifetime((lists, key)) {}
        try #require(launched.error == 0)
        defer { close(launched.pidfd) }
        var supervision = Supervision(
          launched: launched, request: LaunchRequest(program: "sleep"), descendants: nil, orphans: nil, watch: nil,
          observation: nil)
        #expect(try supervision.waitForEnd(signals: signals, hasTerminal: false).0 == .signalled(signal: SIGTERM))
      }
    }

    /// An observation closes what it looked at.
    @Test func anObservedLaunchLeavesNoDescriptorOpen() throws {
      for _ in 0..<3 {
        let process = try launch("true", [], observing: ObservationOptions()).processID
        let open = fileNames(in: "/proc/self/fd").compactMap { linkTarget("/proc/self/fd/\($0)") }
        #expect(!open.contains { $0.hasPrefix("/proc/\(process)/") })
      }
    }

    @Test func missingAndUnfitProgramsAreToldApart() throws {
      let directory = try TemporaryDirectory()
      func code(_ program: String) -> LaunchError.Code? {
        do throws(LaunchError) {
          _ = try ProgramLauncher().launch(LaunchRequest(program: program))
          return nil
        } catch { return error.code }
      }
      #expect(code("/no/such/program") == .notFound)
      #expect(code("no-such-program-anywhere") == .notFound)
      #expect(code("") == .notFound)
      #expect(code("/bin/sh/below") == .notFound)
      #expect(code(directory.path) == .notExecutable)
      #expect(code(try directory.write("#!/bin/sh\n", to: "script")) == .notExecutable)
      #expect(code("a\0b") == .cannotLaunch)
      let script = try directory.write("echo\n", to: "plain")
      chmod(script, 0o755)
      #expect(code(script) == .notExecutable)
    }

    /// If other code in the process waits for the program first, the launch fails, and its watch ends with it.
    @Test func aWatchEndsWithALaunchThatFails() throws {
      final class Token: Sendable {}
      var hasFailed = false
      for _ in 0..<500 where !hasFailed {
        weak var token: Token?
        do {
          let held = Token()
          token = held
          _ = try launch("sleep", ["0.02"]) { request in
            request.ready = .listening(nil)
            request.lingering = { _ in withExtendedLifetime(held) {} }
            let thread = linkTarget("/proc/thread-self") ?? ""
            request.lastly = {
              // Those of other tests, which ended and were not waited for.
              let others = Self.children(of: thread)
              Thread.detachNewThread { Self.waitForChild(of: thread, notOneOf: others) }
            }
          }
        } catch { hasFailed = true }
        #expect(token == nil)
      }
      #expect(hasFailed)
    }

    /// A program may look for a free port, or hold one for a moment as a lock, and then work for long.
    @Test(arguments: [false, true]) func aProgramThatListensNoMoreDoesNotLinger(stays: Bool) throws {
      let source = """
        #include <sys/socket.h>
        #include <unistd.h>
        int main(int count, char **arguments) {
          (void)arguments;
          int server = socket(AF_INET, SOCK_STREAM, 0);
          if (listen(server, 1) != 0) return 1;
          usleep(300000);
          if (count < 2) close(server);
          sleep(count < 2 ? 3 : 600);
          return 0;
        }
        """
      let directory = try TemporaryDirectory()
      let program = try CompiledProgram.c(source, "listening", in: directory)
      let result = try launch(program, stays ? ["stays"] : []) { request in
        request.ready = .automatic
        request.lingering = { _ in }
        request.lingeringLimit = 0
      }
      #expect((result.lingering?.kind == .listening) == stays)
      #expect(result.ending == (stays ? .timedOut : .exited(status: 0)))
    }

    /// A program that looked for a free port was ready when it did, and the message named that port, which was closed.
    @Test func thePortThatStaysIsTheSign() throws {
      let source = """
        #include <netinet/in.h>
        #include <stdio.h>
        #include <unistd.h>
        int main(int count, char **arguments) {
          if (count < 2) return 2;
          int probe = socket(AF_INET, SOCK_STREAM, 0);
          if (listen(probe, 1) != 0) return 1;
          usleep(300000);
          close(probe);
          int server = socket(AF_INET, SOCK_STREAM, 0);
          if (listen(server, 1) != 0) return 1;
          struct sockaddr_in name;
          socklen_t size = sizeof name;
          if (getsockname(server, (struct sockaddr *)&name, &size) != 0) return 3;
          FILE *file = fopen(arguments[1], "w");
          fprintf(file, "port %d", ntohs(name.sin_port));
          fclose(file);
          sleep(600);
          return 0;
        }
        """
      let directory = try TemporaryDirectory()
      let program = try CompiledProgram.c(source, "probing", in: directory)
      let result = try launch(program, [directory.appending("port")]) { request in
        request.ready = .automatic
        request.lingering = { _ in }
        request.lingeringLimit = 0
      }
      let port = fileText(directory.appending("port"))
      #expect(port != nil && result.lingering?.detail == port)
      #expect(result.ready?.ready?.detail == port && result.ready?.signals.count == 1)
    }

    private static func children(of thread: String) -> Set<Int32> {
      Set((fileText("/proc/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) })
    }

    /// Waits for the next child of a thread of this process.
    private static func waitForChild(of thread: String, notOneOf others: Set<Int32>) {
      for _ in 0..<100_000 {
        guard let child = children(of: thread).subtracting(others).first else { continue }
        waitpid(child, nil, 0)
        return
      }
    }

    @Test func onlyOneWatchesSignals() throws {
      let first = try ProgramLauncher()
      #expect(throws: LaunchError.self) { _ = try ProgramLauncher() }
      #expect(try first.launch(LaunchRequest(program: "true")).succeeded)
    }

    /// A program that hangs does not hang the launcher. Its orphan goes to init, as without a limit.
    @Test func aProgramThatHangsIsEndedWithItsChildren() throws {
      let directory = try TemporaryDirectory()
      let place = directory.appending("children")
      let script = "sleep 1000 & echo $! > \(place); (sleep 1000 & echo $! >> \(place)); wait"
      let result = try launch("/bin/sh", ["-c", script]) { $0.longest = 3_000_000_000 }
      #expect(result.ending == .timedOut, "\(result.ending)")
      let children = try text(place).split(separator: "\n").compactMap { Int32($0) }
      try #require(children.count == 2)
      defer { for child in children { kill(child, SIGKILL) } }
      // It has its signal. Nobody reaps it before init does.
      try waitUntil("the child has ended") { Descendants.Process(id: children[0])?.isDead != false }
      #expect(Descendants.Process(id: children[1])?.isDead == false)
    }
  }
}
