// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Programs with known costs, which they measure by their own clocks. The report finds each cost in its phase, within
/// 5 % or 100 µs, whichever is larger, in 19 of 20 launches.
///
/// Running is compared in CPU time and sleeping in elapsed time, so that other programs on the machine do not matter.
@Suite(.serialized) struct ObservedTruthTests {
  private let launchprof: Launchprof

  init() throws {
    try requirePerf()
    launchprof = try Launchprof()
  }

  private var directory: TemporaryDirectory { launchprof.directory }

  /// Clocks in ns, read by system calls, because they are used before libraries are relocated.
  private static let clocks = """
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>
    static long clock_ns(int clock) {
      struct timespec t;
    #if defined(__x86_64__)
      long result;
      __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_clock_gettime), "D"((long)clock), "S"(&t) : "rcx", "r11", "memory");
    #else
      register long x8 __asm__("x8") = SYS_clock_gettime;
      register long x0 __asm__("x0") = clock;
      register long x1 __asm__("x1") = (long)&t;
      __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
    #endif
      return t.tv_sec * 1000000000L + t.tv_nsec;
    }
    static long cpu(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
    static long now(void) { return clock_ns(CLOCK_MONOTONIC); }
    static inline void burn(long ns) { for (long start = cpu(); cpu() - start < ns;); }

    """

  /// Launches 20 times. `found` returns the cost in the report; the program prints the true one.
  ///
  /// If other programs disturbed a series, it is repeated, at most twice. Their effect on the caches is in no clock.
  private func expect(
    _ program: String, _ what: String, baseline: Int64 = 0, found: (ObservedLaunch) throws -> Int64?
  ) throws {
    var errors: [String] = []
    for _ in 0..<3 {
      errors = try (0..<20).compactMap { _ in try error(of: program, baseline: baseline, found: found) }
      if errors.count <= 1 { return }
    }
    Issue.record("\(what): \(errors)")
  }

  /// The error in the report of one launch.
  private func error(
    of program: String, baseline: Int64, found: (ObservedLaunch) throws -> Int64?
  ) throws -> String? {
    let (run, path) = try launchprof.record([program], options: ["--no-samples", "--ready", "exit"])
    let truth = try #require(Int64(run.text.split(separator: "\n").first ?? ""), "\(run.errorText)")
    guard let size = try found(try ObservedLaunch(launchprof, path)).map({ $0 - baseline }) else {
      return "nothing for \(truth)"
    }
    return abs(size - truth) <= max(truth / 20, 100_000) ? nil : "\(size) for \(truth)"
  }

  /// Reads from a file that is not in the page cache until it has waited for 10 ms. It prints how long it was not on
  /// a processor, and how much of that time it waited for one.
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
      int main(int count, char **arguments) {
        char *block = malloc(1 << 20);
        int file = open(arguments[count - 1], O_RDONLY);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        long delay = queued(), start = now() - cpu(), waited = 0;
        while (waited < 10000000 && read(file, block, 1 << 20) > 0) waited = now() - cpu() - start;
        printf("%ld %ld\\n", waited, queued() - delay);
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
    let endsWhenReady = Scheduler.mayBeAsked && options.contains("scheduling")
    return zip(launches, output).compactMap { launch, numbers in
      guard let finding = launch.finding("main-thread-blocked-io") else { return "nothing for \(numbers)" }
      guard finding.subject == command.last else { return finding.subject }
      let (size, tolerance) = (finding.actual, max(numbers[0] / 20, 100_000))
      // With scheduling records a wait ends when the thread is runnable, without them when it has a processor.
      let latest = endsWhenReady ? numbers[0] - numbers[1] : numbers[0]
      let isRight = (numbers[0] - numbers[1] - tolerance...latest + tolerance).contains(size)
      return isRight ? nil : "\(size) for \(numbers[0]), \(numbers[1]) of it in a queue"
    }
  }

  /// With looks, and with scheduling records. If the kernel does not allow those, both times with looks.
  @Test(arguments: [false, true]) func aColdReadOfTenMilliseconds(isExact: Bool) throws {
    let path = try Truth.coldFile(in: directory)
    let program = try CompiledProgram.c(Self.reader, "reader", in: directory)
    // 9 % of this budget may be spent waiting for a disk.
    let budgets = try directory.write(Array("milestones:\n  first-frame: 50ms\n".utf8), to: "budgets.yml")
    let options = ["--ready", "exit", "--budgets", budgets] + (isExact ? ["--detail", "scheduling"] : [])
    var errors: [String] = []
    for _ in 0..<3 {
      errors = try errorsOfReading([program, path], options: options)
      if errors.count <= 1 { return }
    }
    Issue.record("\(errors)")
  }

  /// With glibc and with musl, whose loader provides less.
  @Test(arguments: [["gcc"], ["musl-gcc"], ["musl-gcc", "-static"]])
  func aStaticInitialiserOfFiveMilliseconds(compiler: [String]) throws {
    let source =
      Self.clocks + """
        static long took;
        __attribute__((constructor)) static void initialize(void) { long start = cpu(); burn(5000000); took = cpu() - start; }
        int main(void) { printf("%ld\\n", took); return 0; }
        """
    let program = try CompiledProgram.c(
      source, "initializer", Array(compiler.dropFirst()), compiler: compiler[0], in: directory)
    try expect(program, "static-init") { $0.phase("static-init")?.running }
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

  /// The library linked last is relocated first. Resolvers in the libraries before and after it record the times.
  @Test func aLibraryOf50000Relocations() throws {
    func resolver(_ name: String) -> String {
      Self.clocks + """
        static long \(name)_time;
        static int nothing(void) { return 0; }
        static void *resolve(void) { \(name)_time = cpu(); return (void *)nothing; }
        static int indirect(void) __attribute__((ifunc("resolve")));
        int (*\(name)_pointer)(void) = indirect;
        long \(name)(void) { return \(name)_time; }
        """
    }
    let functions = (0..<500).map { "int f\($0)(void) { return \($0); }" }.joined(separator: "\n")
    let entries = (0..<50_000).map { "f\($0 % 500)" }.joined(separator: ",\n")
    let flags = ["-shared", "-fPIC"]
    try CompiledProgram.c(resolver("behind"), "libbehind.so", flags, in: directory)
    try CompiledProgram.c(resolver("before"), "libbefore.so", flags, in: directory)
    try CompiledProgram.c(
      functions + "\nint (*table[])(void) = {\(entries)};\nint many(void) { return table[1](); }", "libmany.so", flags,
      in: directory)
    let link = ["-L\(directory.path)", "-Wl,-rpath,\(directory.path)", "-Wl,--no-as-needed", "-lbehind"]
    let source = """
      #include <stdio.h>
      long before(void), behind(void);
      int main(void) { printf("%ld\\n", behind() - before()); return 0; }
      """
    let plain = try CompiledProgram.c(source, "plain", link + ["-lbefore"], in: directory)
    let full = try CompiledProgram.c(source, "full", link + ["-lmany", "-lbefore"], in: directory)
    // The time of all other libraries, without the time between the two resolvers.
    let others = try (0..<7).map { _ in
      let (run, path) = try launchprof.record([plain], options: ["--no-samples", "--ready", "exit"])
      let between = try #require(Int64(run.text.split(separator: "\n").first ?? ""))
      return try #require(try ObservedLaunch(launchprof, path).phase("relocate")).running - between
    }
    try expect(full, "relocate", baseline: others.sorted()[3]) { $0.phase("relocate")?.running }
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
          usleep(300000);
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
