// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The command under a user without privileges. Tests that run as root become `nobody`.
struct OrdinaryUserTests {
  private let launchprof: Launchprof

  init() throws {
    try requirePerf()
    launchprof = try Launchprof()
    chmod(directory.path, 0o777)
  }

  private var directory: TemporaryDirectory { launchprof.directory }

  private static let nobody: UInt32 = 65534

  private static func become(_ user: UInt32 = nobody) -> [String] {
    ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
  }

  /// - Parameter user: what a test that runs as root becomes.
  private func run(_ command: [String], as user: UInt32 = nobody) throws -> TestProcess {
    try TestProcess.run(
      "/usr/bin/env", (geteuid() == 0 ? Self.become(user) : []) + command,
      adding: ["HOME": directory.path, "TMPDIR": directory.path, "XDG_RUNTIME_DIR": "", "LC_ALL": "C.UTF-8"],
      directory: directory.path)
  }

  private func record(
    _ command: [String], _ options: [String] = []
  ) throws -> (run: TestProcess, launch: ObservedLaunch) {
    let path = directory.appending("t.pftrace")
    let run = try run([Launchprof.path, "record", "-o", path] + options + ["--"] + command)
    chmod(path, 0o644)
    return (run, try ObservedLaunch(launchprof, path))
  }

  @Test func seesAllOfALaunch() throws {
    let source = """
      #include <unistd.h>
      int main(void) {
        for (volatile long i = 0; i < 30000000; i++);
        return geteuid() == 0 ? 1 : 5;
      }
      """
    let program = try CompiledProgram.c(source, "ordinary", in: directory)
    let lost = try LaunchSeries.unseen {
      let (run, launch) = try record([program])
      #expect(run.outcome == .exited(5), "\(run.errorText)")
      #expect(launch.fact("observer") == .string("perf"))
      #expect(launch.fact("observer_shortcoming") == nil)
      // The kernel keeps 30 samples until the launcher comes.
      #expect(launch.trace.samples.count > 3)
      #expect(launch.trace.switches.count > 0)
      guard case .uint(let lost)? = launch.fact("lost_records") else { return ["it is not known what was lost"] }
      if lost > 0 { return ["\(lost) records were lost"] }
      #expect(launch.top.map(\.id) == ["exec", "load", "relocate", "static-init", "main", "exit"])
      return []
    }
    #expect(lost.isEmpty, "\(lost)")
  }

  /// As agents with keys and sandboxes do (PR_SET_DUMPABLE). From then on, the kernel shows them to root only.
  @Test func isToldThatAProgramForbidsLooks() throws {
    let source = """
      #include <sys/prctl.h>
      #include <unistd.h>
      int main(void) {
        prctl(PR_SET_DUMPABLE, 0);
        // The launcher looks by then, even if it long waits for a processor.
        sleep(2);
        return 5;
      }
      """
    let (run, launch) = try record([try CompiledProgram.c(source, "closed", in: directory)])
    #expect(run.outcome == .exited(5), "\(run.errorText)")
    guard case .string(let reason)? = launch.fact("observer_shortcoming") else { return #expect(Bool(false)) }
    #expect(reason.contains("the program forbade looks at it (PR_SET_DUMPABLE)"), "\(reason)")
  }

  /// Nobody can see whose socket it is, but it is new, and the user named it.
  @Test(arguments: [true, false]) func seesANamedSocketOfAProgramThatForbidsLooks(isNamed: Bool) throws {
    let source = """
      #include <stdlib.h>
      #include <string.h>
      #include <sys/prctl.h>
      #include <sys/socket.h>
      #include <sys/un.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        prctl(PR_SET_DUMPABLE, 0);
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strcpy(address.sun_path, arguments[1]);
        int server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(server, (void *)&address, sizeof address) != 0 || listen(server, 1) != 0) return 1;
        sleep(2);
        return 0;
      }
      """
    let socket = directory.appending("s")
    let program = try CompiledProgram.c(source, "closed", in: directory)
    let rule = isNamed ? "listen:\(socket)" : "listen"
    let (run, _) = try record([program, socket], ["--ready", rule, "--settle", "0"])
    let words = run.errorText.inOneLine
    #expect(words.contains("may not see which sockets it has") == !isNamed, "\(words)")
    #expect(words.contains(" to ready") == isNamed, "\(words)")
  }

  /// Users can evict their own files from the page cache, and the trace says that they left.
  @Test func hasColdLaunchesToo() throws {
    // On a disk, and where another user may read: the clone may lie in a directory that is its owner's alone.
    let disk = try TemporaryDirectory(in: "/var/tmp")
    chmod(disk.path, 0o755)
    let size = 4 << 20
    let file = try disk.write([UInt8](repeating: 7, count: size), to: "data")
    if geteuid() == 0 { #expect(chown(file, Self.nobody, Self.nobody) == 0) }
    _ = try contents(file)
    let (run, launch) = try record(["cksum", file], ["--cold"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(launch.fact("kind") == .string("page-cache cold"))
    guard case .uint(let bytes)? = launch.fact("read_bytes") else { return #expect(Bool(false)) }
    #expect(bytes >= size)
    #expect(try JSONReport(launchprof, "t.pftrace").keptFiles[file] == nil)
  }

  /// The number 0 alone gives root no rights, as in a container without capabilities.
  @Test(.enabled(if: geteuid() == 0)) func rootWithoutRightsDoesNotSeeWhatLeftTheMemory() throws {
    let disk = try TemporaryDirectory(in: "/var/tmp")
    chmod(disk.path, 0o755)
    let file = try disk.write([UInt8](repeating: 7, count: 1 << 20), to: "data")
    #expect(chown(file, Self.nobody, Self.nobody) == 0)
    let run = try TestProcess.run(
      "/usr/bin/setpriv",
      ["--bounding-set", "-all", "--inh-caps", "-all", Launchprof.path, "record", "--cold", "-o", "t.pftrace", "--"]
        + ["cksum", file],
      directory: directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try JSONReport(launchprof, "t.pftrace").keptFiles[file] == nil)
  }

  /// The kernel ends the perf events of such a program. What they said until then is not the launch.
  @Test func aProgramThatOneMayOnlyExecuteIsNotObserved() throws {
    let source = "#include <unistd.h>\nint main(void) { usleep(20000); return 6; }"
    let program = try CompiledProgram.c(source, "hidden", in: directory)
    #expect(chmod(program, geteuid() == 0 ? 0o711 : 0o111) == 0)
    let (run, launch) = try record([program])
    #expect(run.outcome == .exited(6), "\(run.errorText)")
    #expect(launch.fact("observer") == .string("none") && launch.top.map(\.id) == ["unattributed"])
    #expect(run.errorText.contains("the program is not readable and was launched without observation"))
  }

  /// Containers and batch systems limit the memory that a user may lock. Perf events need some.
  @Test func tooLittleLockedMemoryIsSaid() throws {
    let run = try run(["prlimit", "--memlock=0", Launchprof.path, "record", "-o", "t.pftrace", "--", "true"])
    #expect(run.outcome == .exited(0))
    let words = run.errorText.inOneLine
    #expect(!words.contains("seccomp"), "\(words)")
    // What other users of the same number have locked counts, too: the limit may also be enough.
    if words.contains("perf events are not available") { #expect(words.contains("(ulimit -l)"), "\(words)") }
  }

  /// The rings of all CPUs share what every user may lock: none is so large that the others do not fit.
  @Test func whatEveryUserMayLockIsEnough() throws {
    let command = ["prlimit", "--memlock=0", Launchprof.path, "record", "-o", "t.pftrace", "--", "true"]
    // Locked memory is counted by user. Without root, other tests of this user record at the same time.
    for attempt in 1...20 {
      let run = try run(command, as: 65533)
      if !run.errorText.inOneLine.contains("perf events are not available") { break }
      #expect(attempt < 20, "\(run.errorText)")
    }
  }

  @Test func aTraceThatOneMayNotReadSaysSo() throws {
    let secret = try directory.write("[]", to: "secret")
    chmod(secret, 0)
    let run = try run([Launchprof.path, "report", "secret"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText == "launchprof: secret: cannot be opened: Permission denied\n")
  }

  @Test func aLimitOfProcessesIsNamed() throws {
    let run = try run(["prlimit", "--nproc=1", Launchprof.path, "record", "-o", "t.pftrace", "--", "true"])
    #expect(run.outcome == .exited(125) && run.errorText.contains("(ulimit -u)"), "\(run.errorText)")
  }

  /// As root, a program of the test, which becomes root again. Otherwise one of the system's.
  private func setUserIDProgram() throws -> [String] {
    guard geteuid() == 0 else { return ["/bin/su", "--version"] }
    let source = "#include <unistd.h>\nint main(void) { return geteuid() == 0 ? 4 : 1; }"
    let program = try CompiledProgram.c(source, "raised", in: directory)
    #expect(chmod(program, 0o4755) == 0)
    return [program]
  }

  /// With breakpoints, it would run without its rights, and another part of it.
  @Test func theOrderOfASetUserIDProgramIsNotKnown() throws {
    let order = try run([Launchprof.path, "order", "--"] + setUserIDProgram())
    #expect(
      order.outcome != .exited(0) && order.errorText.contains("is set-user-id: with breakpoints"), "\(order.errorText)")
  }

  /// The program keeps its rights. The kernel would withhold them from a program that another process attaches to.
  @Test func aSetUserIDProgramKeepsItsRights() throws {
    let command = try setUserIDProgram()
    let direct = try run(command)
    let (run, launch) = try record(command)
    #expect(run.outcome == direct.outcome)
    #expect(launch.fact("observer") == .string("none"))
    #expect(run.errorText.contains("is set-user-id and was launched without observation"))
    #expect(launch.top.map(\.id) == ["unattributed"])
  }

  /// Only root can make such a program, and file systems and processes may be without such rights.
  private static let needsRaising: ConditionTrait = .enabled("set-user-id programs of root are not allowed here") {
    guard geteuid() == 0 else { return false }
    let directory = try TemporaryDirectory()
    let program = directory.appending("id")
    guard try TestProcess.run("/bin/cp", ["/usr/bin/id", program]).succeeded else { return false }
    chmod(directory.path, 0o755)
    chmod(program, 0o4755)
    return try TestProcess.run("/usr/bin/env", become() + [program, "-u"]).text == "0\n"
  }

  /// A program that has become another user cannot be ended, and the user learns that.
  @Test(needsRaising)
  func aProgramThatCannotBeEndedIsNamed() throws {
    let source = """
      #include <stdio.h>
      #include <unistd.h>
      int main(void) { puts(setuid(0) ? "ordinary" : "raised"); fflush(stdout); sleep(9); }
      """
    let program = try CompiledProgram.c(source, "raised", in: directory)
    #expect(chmod(program, 0o4755) == 0)
    let run = try run([
      Launchprof.path, "record", "-o", "t.pftrace", "--ready", "stdout", "--settle", "0", "--", program,
    ])
    #expect(run.text.hasPrefix("raised"), "\(run.text)")
    #expect(run.errorText.contains("cannot end all that the program started"), "\(run.errorText)")
  }

  /// A wrapper is traced until it executes its program, which then cannot get its rights. The user learns that.
  @Test func aSetUserIDProgramBehindAWrapperLosesItsRightsAloud() throws {
    let command = ["env"] + (try setUserIDProgram())
    let (quiet, launch) = try record(command, ["-q"])
    #expect(quiet.errorText.contains("was traced, and lost its rights; use --no-observation"), "\(quiet.errorText)")
    guard case .string(let shortcoming)? = launch.fact("observer_shortcoming") else { return #expect(Bool(false)) }
    #expect(shortcoming.contains("is set-user-id, was traced, and lost its rights"))
    let (unobserved, _) = try record(command, ["-q", "--no-observation"])
    #expect(try unobserved.outcome == run(command).outcome && unobserved.errorText.isEmpty)
  }
}
