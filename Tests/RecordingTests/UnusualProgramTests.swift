// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Programs that die early, refuse to be watched, or cannot be watched: each launches as it does without launchprof.
final class UnusualProgramTests: CommandSuite {
  var directory: TemporaryDirectory { launchprof.directory }

  func observe(_ command: [String]) throws -> (run: TestProcess, launch: ObservedLaunch) {
    let path = directory.appending("t.pftrace")
    let run = try launchprof.run(["record", "-o", path, "--"] + command)
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    return (run, try ObservedLaunch(launchprof, path))
  }

  @Test func oneThatDiesAtOnce() throws {
    try requirePerf()
    let source = """
      #include <sys/syscall.h>
      void _start(void) {
      #if defined(__x86_64__)
        __asm__ volatile("syscall" ::"a"(SYS_exit_group), "D"(9));
      #else
        register long x8 __asm__("x8") = SYS_exit_group;
        register long x0 __asm__("x0") = 9;
        __asm__ volatile("svc #0" ::"r"(x8), "r"(x0));
      #endif
      }
      """
    let program = try CompiledProgram.c(source, "dies", ["-nostdlib", "-static"], in: directory)
    let (run, launch) = try observe([program])
    #expect(run.outcome == .exited(9))
    #expect(launch.points("entry").count == 1)
    #expect(launch.phase("exec")?.source == "launcher")
  }

  /// A report can then tell a wait for the input from one for a child process.
  @Test func oneWhoseInputIsAPipe() throws {
    for (script, isPipe) in [
      ("echo x | \"$0\" record -o t.pftrace -- cat", true), ("\"$0\" record -o t.pftrace -- cat < /dev/null", false),
    ] {
      let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: directory.path)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      let pipe = try ObservedLaunch(launchprof, directory.appending("t.pftrace")).fact("input_pipe")
      guard case .string(let name)? = pipe else {
        Issue.record("\(String(describing: pipe))")
        continue
      }
      #expect(isPipe ? name.hasPrefix("pipe:[") : name.isEmpty, "\(name)")
    }
  }

  /// musl's loader is its C library. execve(2) maps it, so nothing is mapped after the loader began.
  @Test func oneWhoseLoaderIsItsLibrary() throws {
    try requirePerf()
    let program = try CompiledProgram.c(
      "int main(void) { return 0; }", "small", compiler: "musl-gcc", in: directory)
    let (run, _) = try observe([program])
    #expect(run.outcome == .exited(0))
    let path = directory.appending("t.pftrace")
    let stacks = try launchprof.run(["report", "--format", "folded", path]).text.split(separator: "\n")
    let times = stacks.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(try JSONReport(launchprof, path).total == times.reduce(0, +), "\(stacks)")
    #expect(stacks.contains { $0.contains(";exec") } && stacks.contains { $0.contains(";load;relocate ") })
  }

  /// As Ctrl-Z does. The time is no wait.
  @Test func oneThatASignalStops() throws {
    try requirePerf()
    let source = """
      #include <signal.h>
      #include <sys/wait.h>
      #include <time.h>
      #include <unistd.h>
      int main(void) {
        if (fork() == 0) {
          usleep(30000);
          kill(getppid(), SIGSTOP);
          usleep(300000);
          kill(getppid(), SIGCONT);
          _exit(0);
        }
        while (clock() < CLOCKS_PER_SEC / 10);
        wait(NULL);
        return 0;
      }
      """
    let (run, launch) = try observe([try CompiledProgram.c(source, "stops", in: directory)])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let switches = launch.trace.switches
    let out = try #require(switches.kind.firstIndex(of: .stopped))
    let back = try #require(
      switches.kind.indices[out...].first {
        switches.kind[$0] == .switchedIn && switches.track[$0] == switches.track[out]
      })
    #expect(switches.time[back] - switches.time[out] >= 200_000_000)
  }

  @Test func oneThatDiesInTheLoader() throws {
    try requirePerf()
    try CompiledProgram.c("int gone(void) { return 0; }", "libgone.so", ["-shared", "-fPIC"], in: directory)
    let program = try CompiledProgram.c(
      "int gone(void); int main(void) { return gone(); }", "lost", ["-L\(directory.path)", "-lgone"], in: directory)
    unlink(directory.appending("libgone.so"))
    let (run, launch) = try observe([program])
    #expect(run.outcome == .exited(127))
    #expect(run.errorText.contains("libgone.so: cannot open shared object file"))
    #expect(launch.top.map(\.id) == ["exec", "load", "exit"])
  }

  @Test func oneThatDiesInAStaticInitialiser() throws {
    try requirePerf()
    let source = """
      #include <stdlib.h>
      __attribute__((constructor)) static void initialize(void) { abort(); }
      int main(void) { return 0; }
      """
    let (run, launch) = try observe([try CompiledProgram.c(source, "aborts", in: directory)])
    #expect(run.outcome == .signalled(SIGABRT))
    #expect(launch.top.map(\.id) == ["exec", "load", "relocate", "static-init", "exit"])
    #expect(launch.points("main").isEmpty)
  }

  @Test(arguments: [SIGSEGV, SIGKILL]) func oneThatDiesOfASignalInMain(signal: Int32) throws {
    try requirePerf()
    let source = "#include <signal.h>\nint main(void) { raise(\(signal)); return 0; }"
    let (run, launch) = try observe([try CompiledProgram.c(source, "dies", in: directory)])
    #expect(run.outcome == .signalled(signal))
    #expect(launch.top.map(\.id) == ["exec", "load", "relocate", "static-init", "main", "exit"])
  }

  @Test func oneThatClosesAllDescriptorsAndLeavesItsSession() throws {
    try requirePerf()
    let source = """
      #include <unistd.h>
      int main(void) {
        for (int i = 0; i < 1024; i++) close(i);
        if (setsid() < 0 && setpgid(0, 0) != 0) return 1;
        usleep(5000);
        return 6;
      }
      """
    let (run, launch) = try observe([try CompiledProgram.c(source, "leaves", in: directory)])
    #expect(run.outcome == .exited(6))
    #expect(try #require(launch.phase("main")).duration >= 5_000_000)
  }

  /// To find out whether a debugger is attached. Its first signal stopped it for ever.
  @Test func oneThatIsTracedByItsParent() throws {
    let source = """
      #include <signal.h>
      #include <sys/ptrace.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static volatile int got;
      static void handle(int number) { got = number; }
      int main(void) {
        signal(SIGUSR1, handle);
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) return 1;
        if (fork() == 0) _exit(0);
        int status;
        wait(&status);
        raise(SIGUSR1);
        return got == SIGUSR1 ? 6 : 2;
      }
      """
    let program = try CompiledProgram.c(source, "traced", in: directory)
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--timeout", "20", "--", program])
    #expect(run.outcome == .exited(6), "\(run.errorText)")
  }

  /// Killed at a random moment of its start, possibly while it is stopped.
  @Test func oneThatIsKilledAtAnyMoment() throws {
    // A value that no other process uses.
    let time = "\(Int.random(in: 100_000...999_999))"
    for _ in 0..<8 {
      let child = try RunningProcess.start(
        Launchprof.path, ["record", "-q", "-o", "t.pftrace", "--", "sleep", time], directory: directory.path)
      usleep(UInt32.random(in: 0...40_000))
      let found = try TestProcess.run("/bin/ps", ["--ppid", "\(child.processID)", "-o", "pid="])
      for process in found.text.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) {
        kill(process, SIGKILL)
      }
      child.signal(SIGTERM)
      let run = try child.finish(timeout: 30)
      #expect([.signalled(SIGKILL), .signalled(SIGTERM)].contains(run.outcome))
    }
    let left = try TestProcess.run("/bin/ps", ["-eo", "args"])
    #expect(!left.text.split(separator: "\n").contains("sleep \(time)"))
  }

  /// The launcher is killed while it is attached to a shell. The shell continues.
  @Test func oneWhoseLauncherIsKilledGoesOn() throws {
    let script = "echo $$ > pid; : > ready; \(shellWait(until: "[ -e go ]")); : > done"
    let child = try RunningProcess.start(
      Launchprof.path, ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script], directory: directory.path)
    func wait(for name: String) throws {
      try waitUntil("the script has made \(name)") { access(directory.appending(name), F_OK) == 0 }
    }
    try wait(for: "ready")
    child.signal(SIGKILL)
    _ = try child.finish(timeout: 5)
    try directory.write("", to: "go")
    try wait(for: "done")
  }

  @Test func aSetUserIDProgramIsLaunchedPlainly() throws {
    // As root, a program of the test that belongs to another user. Otherwise one of the system's.
    var command = ["/bin/su", "--version"]
    if geteuid() == 0 {
      let program = try CompiledProgram.c(
        "#include <unistd.h>\nint main(void) { return geteuid() == 65534 ? 4 : 1; }", "other", in: directory)
      chmod(directory.path, 0o755)
      #expect(chown(program, 65534, 65534) == 0 && chmod(program, 0o4755) == 0)
      command = [program]
    }
    let direct = try TestProcess.run(command[0], Array(command.dropFirst()))
    let (run, launch) = try observe(command)
    #expect(run.outcome == direct.outcome)
    #expect(launch.fact("observer") == .string("none"))
    #expect(run.errorText.contains("is set-user-id and was launched without observation"))
  }
}
