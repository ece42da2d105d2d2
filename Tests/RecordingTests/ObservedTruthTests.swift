// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Programs with known costs, which they measure by their own clocks. The report finds each cost in its phase, within
/// 5 % or 100 µs, whichever is larger, in 19 of 20 launches.
///
/// Running is compared in time on a processor and sleeping in elapsed time, so that other programs on the machine do
/// not matter.
@Suite(.serialized) struct ObservedTruthTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try .observingInTime() }

  private var directory: TemporaryDirectory { launchprof.directory }

  /// Clocks in ns, read by system calls, because they are used before libraries are relocated.
  ///
  /// `running` is the time on a processor since the first call, by the kernel's task clock (perf_event_open(2)). The
  /// host of a virtual machine takes its processors away for a while. The task clock counts that as running, as the
  /// switches do. CLOCK_THREAD_CPUTIME_ID does not.
  private static let clocks = """
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>
    #include "\(PackageRoot.appending("Sources/CLaunchRecorder/lr_system_call.h"))"
    static long now(void) {
      struct timespec t;
      lr_ask_system(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0, 0, 0);
      return t.tv_sec * 1000000000L + t.tv_nsec;
    }
    static long running(void) {
      // The same descriptor in each library of the program.
      enum { clock = 100 };
      static long opening;
      long time, start = now();
      if (lr_ask_system(SYS_read, clock, (long)&time, sizeof time, 0, 0, 0) == sizeof time) return opening + time;
      // The first 64 bytes of perf_event_attr: PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, exclude_kernel, exclude_hv.
      unsigned long attributes[8] = {1 | 64ul << 32, 1, 0, 0, 0, 3 << 5};
      long opened = lr_ask_system(SYS_perf_event_open, (long)attributes, 0, -1, -1, 0, 0);
      if (opened < 0) lr_ask_system(SYS_exit_group, 1, 0, 0, 0, 0, 0);
      lr_ask_system(SYS_dup3, opened, clock, 0, 0, 0, 0);
      opening = now() - start;
      return 0;
    }
    static inline void burn(long ns) { for (long start = running(); running() - start < ns;); }

    """

  /// Launches 20 times. `found` returns the cost in the report; the program prints the true one.
  ///
  /// - Parameter idle: the same program without the cost. What the report finds there is not part of the cost.
  private func expect(
    _ program: String, _ what: String, idle: String? = nil, found: (ObservedLaunch) throws -> Int64?
  ) throws {
    let errors = try LaunchSeries.errors {
      var besides: Int64 = 0
      if let idle { besides = try (0..<7).map { _ in try excess(of: idle, found: found).size }.sorted()[3] }
      return try (0..<20).compactMap { _ in
        let (size, truth) = try excess(of: program, found: found)
        return abs(size - besides) <= max(truth / 20, 100_000) ? nil : "\(size - besides) more than \(truth)"
      }
    }
    #expect(errors.isEmpty, "\(what): \(errors)")
  }

  /// How much larger the cost in the report of one launch is than the true one, ns.
  private func excess(
    of program: String, found: (ObservedLaunch) throws -> Int64?
  ) throws -> (size: Int64, truth: Int64) {
    let (run, path) = try launchprof.record([program], options: ["--no-samples", "--ready", "exit"])
    let truth = try #require(Int64(run.text.split(separator: "\n").first ?? ""), "\(run.errorText)")
    return ((try found(try ObservedLaunch(launchprof, path)) ?? 0) - truth, truth)
  }

  /// Reads from a file that is not in the page cache until it has waited for the disk for 10 ms. It prints how long it
  /// was not on a processor, and how much of that time it waited for one.
  private static let reader =
    clocks + """
      #include <fcntl.h>
      #include <stdlib.h>
      static long queued(void) {
        char text[100] = "";
        int file = open("/proc/thread-self/schedstat", O_RDONLY);
        long count = read(file, text, sizeof text - 1), ran = 0, waited = 0;
        close(file);
        return count > 0 && sscanf(text, "%ld %ld", &ran, &waited) == 2 ? waited : 0;
      }
      static long waited, queue;
      // Both at the same time: not if the thread lost its processor between them.
      static void measure(void) {
        long before;
        do {
          before = now() - running();
          queue = queued();
          waited = now() - running();
        } while (waited - before > 50000);
      }
      int main(int count, char **arguments) {
        char *block = malloc(1 << 20);
        int file = open(arguments[count - 1], O_RDONLY);
        running();
        measure();
        long start = waited, delay = queue;
        // It may wait for the disk itself.
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        // Otherwise the kernel reads ahead while a slow processor copies, and the program hardly waits.
        posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
        measure();
        while (waited - start - (queue - delay) < 10000000 && read(file, block, 1 << 20) > 0) measure();
        printf("%ld %ld\\n", waited - start, queue - delay);
        return 0;
      }
      """

  /// The errors in the reports of 20 launches that read.
  private func errorsOfReading(_ command: [String], options: [String]) throws -> [String] {
    let series = try TemporaryDirectory()
    let run = try launchprof.run(
      ["record", "-q", "-n", "20", "-o", series.path + "/", "--no-samples"] + options + ["--"] + command)
    let launches = try FoundReport(launchprof, series.path + "/").launches
    let output = run.text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
    guard run.succeeded, launches.count == 20, output.allSatisfy({ $0.count == 2 }), output.count == 20 else {
      throw ToolFailure("\(launches.count) launches, \(output): \(run.errorText)")
    }
    let traces = try FileManager.default.contentsOfDirectory(atPath: series.path).filter { $0.hasSuffix(".pftrace") }
    let asks = Scheduler.mayBeAsked && options.contains("scheduling")
    let endsAreRecorded = try traces.sorted().map { try asks && recordsEnds(series.appending($0)) }
    guard traces.count == 20 else { throw ToolFailure("\(traces)") }
    return zip(zip(launches, endsAreRecorded), output).compactMap { launched, numbers -> String? in
      let (launch, isEndRecorded) = launched
      guard let finding = launch.finding("main-thread-blocked-io") else { return "nothing for \(numbers)" }
      guard finding.subject == command.last else { return finding.subject }
      let (size, tolerance) = (finding.actual, max(numbers[0] / 20, 100_000))
      // A wait ends when the thread is runnable if the kernel recorded that, otherwise when it has a processor.
      let latest = isEndRecorded ? numbers[0] - numbers[1] : numbers[0]
      let isRight = (numbers[0] - numbers[1] - tolerance...latest + tolerance).contains(size)
      return isRight ? nil : "\(size) for \(numbers[0]), \(numbers[1]) of it in a queue"
    }
  }

  /// Whether the trace says when each wait of the main thread for a disk ended. Some kernels record no wake-ups that
  /// interrupt an idle processor.
  private func recordsEnds(_ path: String) throws -> Bool {
    let trace = try TraceReader().read(path: path)
    let (switches, wakeups) = (trace.switches, trace.wakeups)
    let own = switches.track.indices.filter { trace.tracks[Int(switches.track[$0])].isMainThread }
    return zip(own, own.dropFirst()).allSatisfy { out, back in
      switches.kind[out] != .uninterruptible
        || wakeups.time.indices.contains { wakeup in
          wakeups.track[wakeup] == switches.track[out]
            && (switches.time[out]...switches.time[back]).contains(wakeups.time[wakeup])
        }
    }
  }

  /// With looks, and with scheduling records. If the kernel does not allow those, both times with looks.
  @Test(arguments: [false, true]) func aColdReadOfTenMilliseconds(isExact: Bool) throws {
    let path = try Truth.coldFile(in: directory)
    let program = try CompiledProgram.c(Self.reader, "reader", in: directory)
    // 9 % of this budget may be spent waiting for a disk.
    let budgets = try directory.write(Array("milestones:\n  first-frame: 50ms\n".utf8), to: "budgets.yml")
    let options = ["--ready", "exit", "--budgets", budgets] + (isExact ? ["--detail", "scheduling"] : [])
    let errors = try LaunchSeries.errors { try errorsOfReading([program, path], options: options) }
    #expect(errors.isEmpty, "\(errors)")
  }

  /// With glibc and with musl, whose loader provides less.
  @Test(arguments: [["gcc"], ["musl-gcc"], ["musl-gcc", "-static"]])
  func aStaticInitialiserOfFiveMilliseconds(compiler: [String]) throws {
    let source =
      Self.clocks + """
        static long took;
        __attribute__((constructor)) static void initialize(void) { long start = running(); burn(COST); took = running() - start; }
        int main(void) { printf("%ld\\n", took); return 0; }
        """
    func program(_ name: String, cost: Int) throws -> String {
      let flags = compiler.dropFirst() + ["-DCOST=\(cost)"]
      return try CompiledProgram.c(source, name, Array(flags), compiler: compiler[0], in: directory)
    }
    let (idle, busy) = (try program("idle", cost: 0), try program("initializer", cost: 5_000_000))
    try expect(busy, "static-init", idle: idle) { $0.phase("static-init")?.running }
  }

  @Test func aSleepOfTwentyMilliseconds() throws {
    let source =
      Self.clocks + """
        int main(void) {
          long start = now();
          usleep(20000);
          printf("%ld\\n", now() - start);
          return 0;
        }
        """
    try expect(try CompiledProgram.c(source, "sleeper", in: directory), "sleep in main") {
      $0.phase("main")?.sleeping
    }
  }

  /// What a library needs is relocated before it, and the program last. Resolvers record the times: the first in a
  /// library that only the large one needs, the second in the program. So nearly all is between them.
  @Test func aLibraryOf50000Relocations() throws {
    func resolver(_ name: String) -> String {
      Self.clocks + """
        static long \(name)_time;
        static int nothing(void) { return 0; }
        static void *resolve(void) { \(name)_time = running(); return (void *)nothing; }
        static int indirect(void) __attribute__((ifunc("resolve")));
        int (*\(name)_pointer)(void) = indirect;
        long \(name)(void) { return \(name)_time; }

        """
    }
    let flags = ["-shared", "-fPIC"]
    try CompiledProgram.c(resolver("begin"), "libbegin.so", flags, in: directory)
    let functions = (0..<500).map { "int f\($0)(void) { return \($0); }" }.joined(separator: "\n")
    let source =
      resolver("end") + "long since(void);\nint main(void) { printf(\"%ld\\n\", end() - since()); return 0; }\n"
    let link = ["-L\(directory.path)", "-Wl,-rpath,\(directory.path)", "-Wl,--no-as-needed"]
    func program(_ name: String, relocations: Int) throws -> String {
      let entries = (0..<relocations).map { "f\($0 % 500)" }.joined(separator: ",\n")
      let library = """
        \(functions)
        int (*table[])(void) = {\(entries)};
        long begin(void);
        long since(void) { return begin(); }
        """
      try CompiledProgram.c(library, "lib\(name).so", flags + link + ["-lbegin"], in: directory)
      return try CompiledProgram.c(source, name, link + ["-lc", "-l\(name)"], in: directory)
    }
    let few = try program("few", relocations: 1)
    let many = try program("many", relocations: 50_000)
    try expect(many, "relocate", idle: few) { $0.phase("relocate")?.running }
  }

  @Test func aDlopenOfThreeMilliseconds() throws {
    try CompiledProgram.c(
      Self.clocks + "__attribute__((constructor)) static void initialize(void) { burn(3000000); }", "libslow.so",
      ["-shared", "-fPIC"], in: directory)
    let source =
      Self.clocks + """
        #include <dlfcn.h>
        int main(void) {
          // Also a launcher that has to wait for a processor has its breakpoints set by then.
          usleep(100000);
          long start = now();
          void *library = dlopen("\(directory.path)/libslow.so", RTLD_NOW);
          printf("%ld\\n", now() - start);
          return library == 0;
        }
        """
    try expect(try CompiledProgram.c(source, "opener", in: directory), "dlopen") { launch in
      let slices = launch.trace.slices
      let name = launch.trace.strings.id(of: "dlopen")
      let row = (0..<slices.count).first { slices.name[$0] == name?.rawValue }
      return row.map { slices.duration[$0] }
    }
  }
}
