// SPDX-License-Identifier: Apache-2.0

import CTestInitializer
import Glibc
import LaunchProfiler
import LaunchTelemetry

/// A program that records itself, for tests of launch records: MODE TRACE [SPOOL [FILES [ONE-IN]]]. Prints its record.
@main
struct SpoolingProgram {
  static let signposter = LaunchSignposter(subsystem: "test.program", category: "launch")

  static func main() throws {
    let arguments = CommandLine.arguments
    // The kernel tells the start of a fork in hundredths of a second.
    if arguments[1] == "fork" { usleep(20_000) }
    if arguments[1].hasPrefix("fork") { ti_fork() }
    // As a daemon that has no standard streams.
    if arguments[1] == "streams" { for stream in STDIN_FILENO...STDERR_FILENO { close(stream) } }
    // As in a program with an async main.
    if arguments[1] == "elsewhere" { startOnAnotherThread() } else { try start(arguments) }
    LaunchProfiler.metadata(version: "2.1", reason: "userLaunch", context: "foreground", kind: "warm")
    LaunchProfiler.metadata("store", "sqlite")
    LaunchProfiler.metadata("secret", "password")
    switch arguments[1] {
    case "ready", "elsewhere":
      work()
      LaunchProfiler.mark(.ready)
      LaunchProfiler.phase(LaunchPhase("after")) { ti_burn(1) }
      LaunchProfiler.fullyDrawn()
    case "inside":
      work()
      LaunchProfiler.phase(LaunchPhase("outer")) {
        LaunchProfiler.phase(LaunchPhase("inner")) {
          ti_burn(1)
          LaunchProfiler.mark(.firstFrame)
          printRecord()
        }
      }
      return
    case "across":
      signposter.withIntervalSignpost("configure") {
        ti_burn(6)
        LaunchProfiler.mark(.ready)
        printRecord()
      }
      return
    case "beside":
      beginBeside()
      ti_burn(1)
      LaunchProfiler.mark(.ready)
      ti_burn(1)
    case "below":
      reachReadyBesidePhases()
      LaunchProfiler.phase(LaunchPhase("late")) {
        ti_burn(1)
        LaunchProfiler.fullyDrawn()
        ti_burn(1)
      }
      printRecord()
      let late = LaunchProfiler.summary?.overBudget.first { $0.name == "late" }
      return print(late.map { Int64($0.duration / .nanoseconds(1)) } ?? -1)
    case "full":
      LaunchProfiler.phase(LaunchPhase("import")) {
        for _ in 0..<20_000 { signposter.withIntervalSignpost("row") {} }
      }
      ti_burn(1)
      LaunchProfiler.mark(.ready)
    case "open":
      _ = signposter.beginInterval("forgotten")
      ti_burn(6)
      LaunchProfiler.mark(.ready)
    case "full-display":
      LaunchProfiler.mark(.ready)
      LaunchProfiler.phase(LaunchPhase("after")) { ti_burn(1) }
      LaunchProfiler.fullyDrawn()
      return printEnd(LaunchProfiler.summary)
    case "not-drawn":
      LaunchProfiler.mark(.ready)
      // Long after the deadline: on a loaded machine, the record of the launch takes a while.
      usleep(1_000_000)
      print(LaunchProfiler.summary?.hasTimedOut ?? false)
      return
    case "over":
      usleep(1_000_000)
      return
    case "quick":
      LaunchProfiler.mark(.ready)
      // No part of the launch that the record is of.
      return LaunchProfiler.metadata("store", "late")
    case "fork", "fork-early": return print(LaunchProfiler.summary.map { $0.processStartError / .nanoseconds(1) } ?? -1)
    case "daemon":
      becomeDaemon(spool: arguments[3])
      return
    case "moved":
      chdir("/")
      return LaunchProfiler.mark(.ready)
    case "again", "replaced":
      wait(for: arguments[3] + "/.open-*")
      execute(arguments)
    case "streams":
      wait(for: arguments[3] + "/.open-*")
      print("a line of the program")
      fflush(nil)
      _ = write(STDERR_FILENO, "a line of the program\n", 22)
      raise(SIGKILL)
    case "helper":
      wait(for: arguments[3] + "/.open-*")
      // The recorder's thread writes the record again, and must not hold the spool's lock at the fork.
      sleep(1)
      ti_fork_helper(arguments[3] + "/.end")
      raise(SIGKILL)
    case "hand-over": return LaunchProfiler.mark(.handedOver)
    default: while true { pause() }
    }
    printRecord()
  }

  static func start(_ arguments: [String]) throws {
    let spool =
      arguments.count > 3
      ? LaunchSpool(
        directory: arguments[3], files: arguments.count > 4 ? Int(arguments[4]) ?? 1 : 100,
        oneIn: arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1, keepsExceptional: arguments.count <= 5,
        metadata: ["store"])
      : nil
    try LaunchProfiler.start(
      into: .file(arguments[2]), limit: arguments[1] == "full" ? 1 << 16 : 4 << 20,
      budgets: LaunchBudgets(
        interval: .milliseconds(5), phases: ["late": .nanoseconds(1)], milestones: ["ready": .seconds(60)]),
      completion: ["hand-over", "full-display", "not-drawn"].contains(arguments[1]) ? .fullDisplay : .initialDisplay,
      stopsWhenCompleted: false,
      deadline: ["late", "not-drawn", "fault"].contains(arguments[1])
        ? .milliseconds(60) : arguments[1] == "over" ? .zero : nil, spool: spool,
      onLaunchCompleted: arguments[1] == "quick" ? nil : say)
  }

  @Sendable static func say(_ summary: LaunchSummary) {
    let arguments = CommandLine.arguments
    if arguments[1] == "late" { print(summary.record()) }
    if arguments[1] == "not-drawn" { printEnd(summary) }
    if arguments[1] == "fault" { fault() }
    if arguments[1] == "over" { print("deadline") }
  }

  static func startOnAnotherThread() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        try? SpoolingProgram.start(CommandLine.arguments)
        return nil
      }, nil)
    pthread_join(thread, nil)
  }

  /// Begins a phase of another thread, which never ends.
  static func beginBeside() {
    var (thread, ends) = (pthread_t(), [Int32](repeating: 0, count: 2))
    pipe(&ends)
    pthread_create(
      &thread, nil,
      { begun in
        LaunchProfiler.phase(LaunchPhase("beside")) {
          close(Int32(Int(bitPattern: begun)))
          while true { pause() }
        }
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(ends[1])))
    awaitEnd(of: ends[0])
  }

  /// Marks the end of the launch during a phase of another thread, which then goes through another phase inside it.
  static func reachReadyBesidePhases() {
    var thread = pthread_t()
    pipe(&begun)
    pipe(&reached)
    pthread_create(
      &thread, nil,
      { _ in
        SpoolingProgram.goThroughPhases()
        return nil
      }, nil)
    awaitEnd(of: begun[0])
    LaunchProfiler.mark(.ready)
    close(reached[1])
    pthread_join(thread, nil)
  }

  private static func goThroughPhases() {
    LaunchProfiler.phase(LaunchPhase("outer")) {
      close(begun[1])
      awaitEnd(of: reached[0])
      LaunchProfiler.phase(LaunchPhase("below")) { ti_burn(1) }
    }
  }

  /// Pipes: the thread has begun its phase, and the launch has reached `ready`.
  nonisolated(unsafe) private static var begun: [Int32] = [0, 0]
  nonisolated(unsafe) private static var reached: [Int32] = [0, 0]

  /// Waits until the other end of a pipe is closed.
  static func awaitEnd(of file: Int32) {
    var byte: UInt8 = 0
    _ = read(file, &byte, 1)
  }

  /// A daemon closes descriptors that it does not know. The numbers then belong to its own files, which stay open.
  static func becomeDaemon(spool: String) {
    // Another thread of the recorder writes the records. It holds this lock until it has done all, and the record then has
    // what the program said last.
    wait(for: spool + "/.open-*")
    while system("grep -q meta.store \(spool)/.open-*") != 0 { usleep(1000) }
    flock(open(spool + "/.lock", O_RDWR), LOCK_EX)
    closefrom(3)
    let files = (3..<32).map { _ in open("/dev/null", O_RDONLY) }
    LaunchProfiler.mark(.ready)
    wait(for: spool + "/1*.json")
    flock(open(spool + "/.lock", O_RDWR), LOCK_EX)
    for file in files where fcntl(file, F_GETFD) < 0 { print("closed: \(file)") }
  }

  /// Executes this program once more, or another one, in the same process.
  static func execute(_ arguments: [String]) {
    let isAgain = arguments[1] == "again"
    let words = isAgain ? [arguments[0], "quick"] + arguments.dropFirst(2) : ["sleep", "100"]
    var pointers = words.map { strdup($0) } + [nil]
    execv(isAgain ? "/proc/self/exe" : "/bin/sleep", &pointers)
  }

  static func wait(for pattern: String) {
    var found = glob_t()
    while glob(pattern, 0, nil, &found) != 0 { usleep(1000) }
    globfree(&found)
  }

  /// Prints which signals reach this thread, and reads memory that is not there.
  static func fault() {
    var blocked = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    for (name, number) in [("SIGTERM", SIGTERM), ("SIGPROF", SIGPROF)] {
      print(name, sigismember(&blocked, number) == 1 ? "is blocked" : "arrives")
    }
    fflush(nil)
    signal(SIGSEGV) { _ in
      _ = write(STDOUT_FILENO, "handled\n", 8)
      _exit(0)
    }
    print(UnsafePointer<Int>(bitPattern: 16)?.pointee ?? 0)
  }

  static func work() {
    ti_burn(1)
    LaunchProfiler.phase(.didFinishLaunching) {
      signposter.withIntervalSignpost("parse \"all\"") { ti_burn(6) }
      LaunchProfiler.phase(LaunchPhase("load-index")) { ti_burn(2) }
      LaunchProfiler.phase(LaunchPhase("")) { ti_burn(1) }
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        LaunchProfiler.phase(LaunchPhase("elsewhere")) { ti_burn(2) }
        return nil
      }, nil)
    pthread_join(thread, nil)
    LaunchProfiler.phase(LaunchPhase("warm-cache")) { ti_burn(1) }
    ti_burn(1)
  }

  /// Prints the record, and then what the summary says about the end.
  static func printEnd(_ summary: LaunchSummary?) {
    guard let summary else { return }
    print(summary.record())
    print(summary.isComplete, summary.endMilestone ?? "no end", Int64(summary.total / .nanoseconds(1)))
  }

  static func printRecord() {
    if let summary = LaunchProfiler.summary { print(summary.record(metadata: ["store"])) }
  }
}
