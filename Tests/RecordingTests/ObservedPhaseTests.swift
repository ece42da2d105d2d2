// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// The phases up to `main` of programs without a recorder, compared with the times that they print.
final class ObservedPhaseTests: CommandSuite {
  private var directory: TemporaryDirectory { launchprof.directory }

  /// Prints when its static initialiser and its `main` began, CLOCK_MONOTONIC ns.
  private static let witness = """
    #include <stdio.h>
    #include <time.h>
    static long now(void) {
      struct timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      return t.tv_sec * 1000000000L + t.tv_nsec;
    }
    static long initialized;
    __attribute__((constructor)) static void initialize(void) { initialized = now(); }
    int main(void) {
      long begun = now();
      printf("%ld %ld\\n", initialized, begun);
      return 0;
    }
    """

  /// Records the command, and returns the times that it printed.
  private func observe(
    _ command: [String], options: [String] = []
  ) throws -> (launch: ObservedLaunch, initialized: Int64, begun: Int64) {
    let (run, path) = try launchprof.record(command, options: options)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let times = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    try #require(times.count == 2)
    return (try ObservedLaunch(launchprof, path), times[0], times[1])
  }

  private func expectTiling(_ launch: ObservedLaunch) throws {
    let total = try #require(launch.top.first?.total)
    let sum = launch.top.reduce(0) { $0 + $1.duration }
    #expect(abs(sum - total) <= total / 100, "\(sum) of \(total)")
    var cursor: Int64 = 0
    for phase in launch.top {
      #expect(phase.start == cursor)
      cursor = phase.end
    }
  }

  @Test(arguments: [
    [], ["-s"], ["-no-pie"], ["-no-pie", "-s"], ["-fno-pie", "-no-pie", "-s"], ["-static"], ["-static", "-s"],
    ["-static-pie"], ["-static-pie", "-s"],
  ])
  func mainIsFoundHoweverTheProgramIsLinked(flags: [String]) throws {
    try requirePerf()
    let program = try CompiledProgram.c(Self.witness, "witness", flags, in: directory)
    let (launch, initialized, begun) = try observe([program])
    let main = try #require(launch.points("main").first)
    #expect(initialized < main && main < begun, "\(initialized) \(main) \(begun)")
    #expect(launch.fact("observer") == .string("perf"))
    try expectTiling(launch)
    let isStatic = flags.contains { $0.hasPrefix("-static") }
    #expect(
      launch.top.map(\.id)
        == (isStatic ? ["exec", "static-init", "main"] : ["exec", "load", "relocate", "static-init", "main"]))
    #expect(launch.phase("static-init")?.source == "breakpoint")
    #expect(launch.phase("main")?.source == "breakpoint")
    if !isStatic {
      #expect(launch.phase("load")?.source == "kernel")
      #expect(launch.phases.map(\.path).contains("load;libc.so.6"))
      #expect(launch.phase("relocate")?.source == "kernel")
    }
  }

  @Test func theLoadTimelineNamesEveryLibraryInItsOrder() throws {
    try requirePerf()
    for name in ["first", "second"] {
      try CompiledProgram.c("int \(name)(void) { return 1; }", "lib\(name).so", ["-shared", "-fPIC"], in: directory)
    }
    let source = "int first(void); int second(void); int main(void) { return first() - second(); }"
    let program = try CompiledProgram.c(
      source, "linked", ["-L\(directory.path)", "-lfirst", "-lsecond", "-Wl,-rpath,\(directory.path)"], in: directory)
    let launch = try ObservedLaunch(launchprof, try launchprof.record([program]).trace)
    let libraries = launch.phases.filter { $0.path.hasPrefix("load;") }
    #expect(libraries.map(\.id) == ["libfirst.so", "libsecond.so", "libc.so.6"])
    let load = try #require(launch.phase("load"))
    // The loader prepares itself before it opens the first library.
    let first = try #require(libraries.first)
    #expect(first.start > load.start && libraries.last?.end == load.end)
    let maps = launch.instants("launchprof.library", "map")
    #expect(maps.allSatisfy { $0.annotations["address"] != nil && $0.annotations["size"] != nil })
    #expect(maps.contains { $0.annotations["path"] == .string(program) })
  }

  /// As `swift` executes the compiler: another thread runs meanwhile.
  private static let driver = """
    #include <pthread.h>
    #include <unistd.h>
    static void *wait_for_end(void *unused) { return pause(), unused; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, 0, wait_for_end, 0);
      return execl("./witness", "./witness", (char *)0);
    }
    """

  @Test(arguments: [
    "sh -c 'exec ./witness'", "./script", "env X=1 ./witness", "sh -c 'exec env nice ./witness'", "./swift-driver",
  ])
  func theLastProgramThatTheProcessExecutesIsTheLaunch(command: String) throws {
    try requirePerf()
    try CompiledProgram.c(Self.witness, "witness", in: directory)
    chmod(try directory.write("#!/bin/sh\nexec ./witness\n", to: "script"), 0o755)
    try CompiledProgram.c(Self.driver, "swift-driver", ["-pthread"], in: directory)
    let script = "exec \"$0\" record -q -o t.pftrace -- \(command)"
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: directory.path)
    let times = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    try #require(times.count == 2, "\(run.errorText)")
    let launch = try ObservedLaunch(launchprof, directory.appending("t.pftrace"))
    let main = try #require(launch.points("main").last)
    #expect(times[0] < main && main < times[1])
    #expect(launch.top.map(\.id) == ["exec", "load", "relocate", "static-init", "main"])
    #expect(launch.points("exec").count >= 2)
    #expect(launch.phases.contains { $0.path.hasPrefix("exec;") })
    try expectTiling(launch)
  }

  /// As programs in Go do: the first thread ends, and the other one takes its id.
  @Test func aProgramThatAnotherThreadExecutesHasItsPhases() throws {
    try requirePerf()
    let slow = Self.witness.replacing("initialized = now();", with: "initialized = now(); usleep(50000);")
    try CompiledProgram.c("#include <unistd.h>\n" + slow, "witness", in: directory)
    let source = """
      #include <pthread.h>
      #include <unistd.h>
      static void *launch(void *unused) { return execl("./witness", "./witness", (char *)0), unused; }
      int main(void) {
        pthread_t thread;
        usleep(20000);
        pthread_create(&thread, 0, launch, 0);
        return pthread_join(thread, 0);
      }
      """
    let first = try CompiledProgram.c(source, "first", ["-pthread"], in: directory)
    let (launch, initialized, begun) = try observe([first])
    let main = try #require(launch.points("main").last)
    #expect(initialized < main && main < begun)
    #expect(try #require(launch.phase("static-init")).duration > 40_000_000)
    try expectTiling(launch)
  }

  @Test func aProgramThatExecutesItselfAgainIsSeenToDoSo() throws {
    try requirePerf()
    let source = """
      #include <unistd.h>
      int main(int count, char **arguments) {
        if (count == 1) execl(arguments[0], arguments[0], "again", (char *)0);
        usleep(1000);
        return count;
      }
      """
    let program = try CompiledProgram.c(source, "twice", in: directory)
    let (run, path) = try launchprof.record([program])
    #expect(run.outcome == .exited(2))
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.points("exec").count == 2)
    #expect(launch.phases.contains { $0.path == "exec;twice" })
    try expectTiling(launch)
  }

  @Test func childrenAreKeptWhenTheyAreFollowed() throws {
    try requirePerf()
    let program = try CompiledProgram.c(Self.witness, "witness", in: directory)
    for (options, isKept) in [([], false), (["--follow"], true)] as [([String], Bool)] {
      let (_, path) = try launchprof.record(["sh", "-c", "./witness; true"], options: options)
      let launch = try ObservedLaunch(launchprof, path)
      let processes = Set(launch.instants("launchprof.library", "map").map(\.process))
      #expect(processes.count == (isKept ? 2 : 1))
      let paths = launch.instants("launchprof.library", "map").map { $0.annotations["path"] }
      #expect(paths.contains(.string(program)) == isKept)
    }
  }

  @Test func threadsAreToldApart() throws {
    try requirePerf()
    let source = """
      #include <pthread.h>
      #include <unistd.h>
      static void *work(void *unused) { usleep(3000); return unused; }
      int main(void) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
        return 0;
      }
      """
    let (run, path) = try launchprof.record([try CompiledProgram.c(source, "threads", ["-pthread"], in: directory)])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    let threads = Set(launch.trace.tracks.filter { $0.kind == .thread && $0.threadID != 0 }.map(\.threadID))
    #expect(threads.count == 5)
    try expectTiling(launch)
  }

  @Test func whatARecorderSaysIsNotToldTwice() throws {
    try requirePerf()
    let (run, path) = try launchprof.record([Launchprof.instrumented, "launch"])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    let names = launch.top.map(\.id).filter { $0 != "unattributed" }
    #expect(Array(names.prefix(6)) == ["exec", "load", "relocate", "recorder", "static-init", "main"])
    #expect(Set(names).count == names.count)
    #expect(launch.phase("static-init")?.source == "preinit")
    #expect(launch.phase("load")?.source == "kernel")
    try expectTiling(launch)
    // One process and one main thread: observations are on the recorder's tracks.
    #expect(launch.trace.processes.filter { $0.processID > 0 }.count == 1)
    #expect(launch.trace.tracks.count(where: \.isMainThread) == 1)
    // Its `load` ends where its recorder began. The loader's work for each library is below the observed phase.
    let rows = try launchprof.run(["report", path, "--format", "csv", "--main-thread"]).text
    #expect(rows.contains(#/main thread,thread,relocate [^,;]+,relocate,/#) && !rows.contains("load;relocate"))
  }

  @Test func samplesCanBeLeftOut() throws {
    try requirePerf()
    let source = "int main(void) { for (volatile long i = 0; i < 30000000; i++); return 0; }"
    let program = try CompiledProgram.c(source, "busy", in: directory)
    let sampled = try ObservedLaunch(launchprof, try launchprof.record([program]).trace)
    #expect(sampled.trace.samples.count > 3)
    #expect(sampled.trace.sampleUnit == "ns")
    let plain = try ObservedLaunch(launchprof, try launchprof.record([program], options: ["--no-samples"]).trace)
    #expect(plain.trace.samples.count == 0)
    #expect(plain.trace.switches.count > 0)
    #expect(try launchprof.run(["record", "--sample-rate", "20000", "--", "true"]).outcome == .exited(64))
  }

  @Test func whatALargeLaunchLosesIsCounted() throws { _ = try recordLargeLaunch(.observing()) }

  /// The launcher gets a processor in time.
  @Test(Launchprof.needsPriority) func aLargeLaunchLosesNothing() throws {
    let (lost, samples) = try recordLargeLaunch(.observingInTime())
    #expect(lost == 0, "\(lost) records were lost, \(samples) of them samples")
  }

  /// Two seconds at 1 kHz, and 500 libraries: all are there or counted as lost.
  private func recordLargeLaunch(_ launchprof: Launchprof) throws -> (lost: UInt64, samples: UInt64) {
    try CompiledProgram.c("int nothing;", "library.so", ["-shared", "-fPIC"], in: launchprof.directory)
    let source = """
      #include <dlfcn.h>
      #include <stdio.h>
      #include <time.h>
      int main(void) {
        for (int i = 0; i < 500; i++) {
          char copy[64], command[200];
          snprintf(copy, sizeof copy, "./library-%d.so", i);
          FILE *from = fopen("library.so", "r"), *to = fopen(copy, "w");
          char bytes[65536];
          fwrite(bytes, 1, fread(bytes, 1, sizeof bytes, from), to);
          fclose(from), fclose(to);
          if (!dlopen(copy, RTLD_NOW)) return 1;
        }
        struct timespec t;
        do {
          // Samples are of the program, not of the kernel.
          for (volatile int i = 0; i < 1000000; i++);
          clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        } while (t.tv_sec < 2);
        return 0;
      }
      """
    let (run, path) = try launchprof.record([try CompiledProgram.c(source, "large", in: launchprof.directory)])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let launch = try ObservedLaunch(launchprof, path)
    guard case .uint(let lost) = launch.fact("lost_records"), case .uint(let samples) = launch.fact("samples_lost")
    else { throw ToolFailure("the trace does not say what was lost") }
    #expect(UInt64(launch.instants("launchprof.library", "map").count) + lost - samples >= 500)
    #expect(UInt64(launch.trace.samples.count) + samples > 1000)
    return (lost, samples)
  }
}
