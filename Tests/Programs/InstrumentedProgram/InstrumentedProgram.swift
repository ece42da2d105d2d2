// SPDX-License-Identifier: Apache-2.0

import CTestInitializer
import Glibc
import LaunchProfiler

/// A program with a recorder, for the end-to-end tests. Its first argument says what it does.
@main
struct InstrumentedProgram {
  static let signposter = LaunchSignposter(subsystem: "test.program", category: "launch")

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "launch": launch(milliseconds: 40)
    // The same launch, for tests that need no interval over its budget.
    case "quick": launch(milliseconds: 2)
    case "setup":
      LaunchProfiler.phase(.oneTimeSetup) { ti_burn(2) }
      LaunchProfiler.mark(.ready)
    case "setup-once": setUpOnce(note: arguments.dropFirst().first ?? "")
    case "setup-elsewhere": setUpElsewhere()
    case "exit": exit(Int32(arguments.dropFirst().first ?? "") ?? 1)
    case "crash": crash()
    case "wait":
      // The test ends the program. If it does not, the alarm does.
      alarm(600)
      LaunchProfiler.phase(.didFinishLaunching) { while true { pause() } }
    case "say-late":
      alarm(600)
      write(STDOUT_FILENO, "up\n", 3)
      usleep(400_000)
      LaunchProfiler.mark(.ready)
      while true { pause() }
    case "execute": execute(Array(arguments.dropFirst()))
    case "spawn":
      spawn(Array(arguments.dropFirst()))
      launch(milliseconds: 40)
    default:
      print("modes: launch, quick, setup, setup-once, setup-elsewhere, exit, crash, wait, say-late, execute, spawn")
    }
  }

  /// Works for so long on the main thread, and then for as long on another one. 40 ms exceed the budget of an interval.
  static func launch(milliseconds: Int) {
    LaunchProfiler.phase(.didFinishLaunching) {
      signposter.withIntervalSignpost("parse configuration") { ti_burn(2) }
      signposter.withIntervalSignpost("build index on main") { ti_burn(milliseconds) }
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { milliseconds in
          InstrumentedProgram.signposter.withIntervalSignpost("build index elsewhere") {
            ti_burn(Int(bitPattern: milliseconds))
          }
          return nil
        }, UnsafeMutableRawPointer(bitPattern: milliseconds))
      pthread_join(thread, nil)
    }
    LaunchProfiler.mark(.firstFrame)
  }

  /// Does nothing if the note says that it was done.
  static func setUpOnce(note: String) {
    if access(note, F_OK) != 0 {
      LaunchProfiler.phase(.oneTimeSetup) { ti_burn(2) }
      close(open(note, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }
    LaunchProfiler.mark(.ready)
  }

  static func setUpElsewhere() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        LaunchProfiler.phase(.oneTimeSetup) { ti_burn(2) }
        return nil
      }, nil)
    pthread_join(thread, nil)
    LaunchProfiler.mark(.ready)
  }

  static func crash() {
    LaunchProfiler.phase(.didFinishLaunching) {
      signposter.withIntervalSignpost("last words") {
        ti_burn(1)
        abort()
      }
    }
  }

  /// Becomes another program.
  static func execute(_ command: [String]) {
    LaunchProfiler.phase(LaunchPhase("before-exec")) { ti_burn(1) }
    let pointers = command.map { strdup($0) } + [nil]
    if let program = pointers[0] { execv(program, pointers) }
  }

  /// Starts another program and waits for it.
  static func spawn(_ command: [String]) {
    var child = pid_t()
    let pointers = command.map { strdup($0) } + [nil]
    if let program = pointers[0] { posix_spawn(&child, program, nil, nil, pointers, environ) }
    waitpid(child, nil, 0)
  }
}
