// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// What each library costs, without an agent in the program.
final class ObservedLibraryTests: ObservingSuite {
  private var directory: TemporaryDirectory { launchprof.directory }

  private struct Slice {
    var name: String
    var start: Int64
    var duration: Int64
    var threadID: Int32
    var paths: [String]
    var source: AnnotationValue?
    var lacksInitializers: Bool
  }

  private func slices(_ launch: ObservedLaunch) -> [Slice] {
    let trace = launch.trace
    return (0..<trace.slices.count).compactMap { row in
      guard trace.strings[StringID(rawValue: trace.slices.category[row])] == "launchprof.library" else { return nil }
      func value(_ key: String) -> AnnotationValue? {
        trace.strings.id(of: key).flatMap { trace.annotations.value(row: trace.slices.annotation[row], key: $0) }
      }
      let paths: [String] =
        switch value("path") {
        case .string(let path): [path]
        case .array(let parts): parts.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: []
        }
      return Slice(
        name: trace.strings[StringID(rawValue: trace.slices.name[row])], start: trace.slices.start[row],
        duration: trace.slices.duration[row],
        threadID: trace.tracks[Int(trace.slices.track[row])].threadID, paths: paths, source: value("source"),
        lacksInitializers: value("lacks_initializers") == .bool(true))
    }
  }

  /// In the loader's order, one after the other. Together they fill the phase.
  @Test func eachLibrarysRelocationIsTold() throws {
    let (launch, found) = try relocations()
    #expect(found.allSatisfy { $0.source == .string("kernel") })
    let names = found.compactMap { $0.paths.first?.split(separator: "/").last.map(String.init) }
    #expect(names.prefix(3) == ["libc.so.6", "libheavy.so", "relocated"])
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.start + $0.duration == $1.start })
    let phase = try #require(launch.phase("relocate"))
    #expect(found.reduce(0) { $0 + $1.duration } == phase.duration)
    #expect(launch.points("relocated").count == 1)
  }

  /// It has 50,000 look-ups, the others have some hundred. On a busy machine, another library may have to wait for a processor.
  @Test func theLibraryWithTheMostLookUpsTakesTheLongest() throws {
    var shortest: [String: Int64] = [:]
    for _ in 0..<5 {
      for slice in try relocations().found {
        let path = try #require(slice.paths.first)
        shortest[path] = min(shortest[path] ?? .max, slice.duration)
      }
    }
    let worst = try #require(shortest.max { $0.value < $1.value })
    #expect(worst.key.hasSuffix("/libheavy.so"), "\(shortest)")
  }

  private func relocations() throws -> (launch: ObservedLaunch, found: [Slice]) {
    let (run, path) = try launchprof.record([try BuiltProgram.foreign("relocated")])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    return (launch, slices(launch).filter { $0.name == "relocate" })
  }

  /// The loader relocates an auditor before it maps the program's libraries. They are still the program's own.
  @Test func anAuditorIsNotTheProgram() throws {
    try CompiledProgram.c(
      "unsigned la_version(unsigned version) { return version; }", "libauditor.so", ["-shared", "-fPIC"], in: directory)
    let (run, path) = try launchprof.record(
      [try BuiltProgram.foreign("relocated")], adding: ["LD_AUDIT": directory.appending("libauditor.so")])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    let names = slices(launch).filter { $0.name == "relocate" }.compactMap {
      $0.paths.first?.split(separator: "/").last
    }
    #expect(names.prefix(3) == ["libc.so.6", "libheavy.so", "relocated"])
    #expect(!slices(launch).contains { $0.name == "dlopen" })
    #expect(launch.points("relocated").count == 1)
  }

  @Test func theReportHasATableTheWorstFirst() throws {
    let (_, path) = try launchprof.record([try BuiltProgram.foreign("relocated")])
    let lines = try launchprof.run(["report", "--full", path]).text.split(separator: "\n").map(String.init)
    let head = try #require(lines.firstIndex { $0.hasPrefix("  Libraries ") })
    // A busy machine has one more column.
    let titles = lines[head].replacing(" held up", with: "").split(whereSeparator: \.isWhitespace)
    #expect(titles == ["Libraries", "ms", "map", "reloc", "KiB"])
    #expect(lines[(head + 1)...].contains { $0.hasPrefix("  libheavy.so ") }, "\(lines[head...])")
    let rows = try launchprof.run(["report", path, "--rows", "libraries", "--format", "csv"]).text
    let totals = rows.split(separator: "\r\n").dropFirst().compactMap { line -> Int64? in
      // The total, the flags, and how long the machine held it up: counted from the end, because the path may contain commas.
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).suffix(3).map { Int64($0) }
      return cells.first.flatMap(\.self).map { $0 - (cells.last.flatMap(\.self) ?? 0) }
    }
    #expect(totals.count >= 3 && totals == totals.sorted(by: >), "\(rows)")
  }

  /// A program that waits for this many microseconds, and then opens the library.
  private func opener(_ library: String, wait: Int, onThread: Bool) throws -> String {
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <pthread.h>
      #include <stdio.h>
      #include <time.h>
      #include <unistd.h>
      static long now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000000L + t.tv_nsec;
      }
      static void *load(void *unused) {
        long start = now();
        void *library = dlopen("\(library)", RTLD_NOW);
        printf("%d %ld\\n", gettid(), now() - start);
        return library;
      }
      int main(void) {
        usleep(\(wait));
        if (!\(onThread ? 1 : 0)) return load(0) == 0;
        pthread_t thread;
        void *library;
        pthread_create(&thread, 0, load, 0);
        pthread_join(thread, &library);
        return library == 0;
      }
      """
    return try CompiledProgram.c(source, "opener", ["-pthread"], in: directory)
  }

  /// Until then, the launcher has mostly set its breakpoints. One that waits for a processor gets more time.
  @Test(arguments: [false, true]) func aDlopenIsOnItsThreadFromCallToReturn(onThread: Bool) throws {
    let library = try BuiltProgram.foreign("libslow.so")
    var wait = 150_000
    let late = try LaunchSeries.unseen {
      wait *= 2
      let (run, path) = try launchprof.record([try opener(library, wait: wait, onThread: onThread)])
      #expect(run.outcome == .exited(0))
      let truth = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
      let launch = try ObservedLaunch(launchprof, path)
      let found = slices(launch).filter { $0.name == "dlopen" }
      #expect(found.map(\.paths) == [[library]])
      let opening = try #require(found.first)
      #expect(opening.threadID == Int32(truth[0]))
      guard opening.source == .string("breakpoint") else { return ["\(opening)"] }
      #expect(!opening.lacksInitializers)
      #expect((3_000_000...truth[1]).contains(opening.duration), "\(opening.duration) of \(truth[1])")
      // It was relocated after the program, so not on the way to `main`.
      #expect(!slices(launch).contains { $0.name == "relocate" && $0.paths == [library] })
      let text = try launchprof.run(["report", "--full", path]).text
      #expect(text.contains("libslow.so on \(onThread ? "opener" : "main thread")"), "\(text)")
      #expect(!text.contains("without initialisers"))
      return []
    }
    #expect(late.isEmpty, "\(late)")
  }

  /// Before breakpoints are set, only the kernel's records exist. The report says what is missing.
  @Test(arguments: [false, true]) func aDlopenAtOnceIsSeenUpToItsRelocations(onThread: Bool) throws {
    try CompiledProgram.c("int nothing;", "libquick.so", ["-shared", "-fPIC"], in: directory)
    let library = directory.appending("libquick.so")
    let (run, path) = try launchprof.record([try opener(library, wait: 0, onThread: onThread)])
    #expect(run.outcome == .exited(0))
    let truth = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    let opening = try #require(slices(try ObservedLaunch(launchprof, path)).first { $0.name == "dlopen" })
    #expect(opening.paths == [library])
    #expect(opening.threadID == Int32(truth[0]))
    #expect((1...truth[1]).contains(opening.duration))
    // On a slow machine the breakpoints may already be set.
    if opening.source == .string("kernel") {
      #expect(opening.lacksInitializers)
      #expect(try launchprof.run(["report", "--full", path]).text.contains("without initialisers"))
    }
  }

  /// Records a program that opens no library, and returns the paths of what it loaded.
  private func recordOpeningNothing(_ program: String) throws -> (launch: ObservedLaunch, loads: [AnnotationValue]) {
    let (run, path) = try launchprof.record([program])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    #expect(slices(launch).allSatisfy { $0.name == "relocate" })
    return (launch, loads(launch))
  }

  private func loads(_ launch: ObservedLaunch) -> [AnnotationValue] {
    launch.instants("launchprof.library", "map").compactMap { $0.annotations["path"] }
  }

  /// A just-in-time compiler writes code without a file, and changes the rights of code. That loads no library.
  @Test func codeThatIsMadeAtRunTimeIsNoLibrary() throws {
    let source = """
      #include <stdint.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(void) {
        uintptr_t page = sysconf(_SC_PAGESIZE), own = (uintptr_t)main & ~(page - 1);
        for (int i = 0; i < 20; i++) {
          unsigned char *code = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          code[0] = 0xc3;
          mprotect(code, page, PROT_READ);
          if (mprotect(code, page, PROT_READ | PROT_EXEC) != 0) return 1;
          if (mprotect((void *)own, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 2;
          if (mprotect((void *)own, page, PROT_READ | PROT_EXEC) != 0) return 3;
        }
        return 0;
      }
      """
    let program = try CompiledProgram.c(source, "compiler", in: directory)
    let (_, loads) = try recordOpeningNothing(program)
    #expect(loads.count { $0 == .string(program) } == 1, "\(loads)")
    #expect(!loads.contains(.string("//anon")), "\(loads)")
  }

  /// A compiler may map the memory of code twice, to write it and to execute it. The kernel has a path for such memory.
  @Test func codeInSharedMemoryIsCompiledCode() throws {
    let source = """
      #define _GNU_SOURCE
      #include <string.h>
      #include <sys/mman.h>
      #include <time.h>
      #include <unistd.h>
      int main(void) {
        // mov $1 << 20, %eax; sub $1, %eax; jne; ret
        static const char loop[] = "\\xb8\\x00\\x00\\x10\\x00\\x83\\xe8\\x01\\x75\\xfb\\xc3";
        int file = memfd_create("code", 0);
        if (ftruncate(file, 8192) != 0) return 1;
        char *data = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        void *code = mmap(0, 8192, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
        if (data == MAP_FAILED || code == MAP_FAILED) return 2;
        memcpy(data + 4096, loop, sizeof loop);
        struct timespec t;
        do {
          ((void (*)(void))((char *)code + 4096))();
          clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        } while (t.tv_nsec < 60000000);
        return 0;
      }
      """
    let program = try CompiledProgram.c(source, "compiler", in: directory)
    let (launch, loads) = try recordOpeningNothing(program)
    #expect(!loads.contains(.string("/memfd:code (deleted)")), "\(loads)")
    let trace = launch.trace
    let images = trace.samples.stack.map { trace.strings[StringID(rawValue: trace.stacks[Int($0)].image)] }
    #expect(images.contains { $0.hasSuffix("[compiled]") }, "\(images)")
    #expect(!images.contains { $0.contains("memfd") }, "\(images)")
  }

  /// A plugin that is opened, closed and opened again appears twice, perhaps at the same address.
  @Test func aLibraryThatIsOpenedAgainIsLoadedAgain() throws {
    try CompiledProgram.c("int nothing;", "libquick.so", ["-shared", "-fPIC"], in: directory)
    let library = directory.appending("libquick.so")
    let source = """
      #include <dlfcn.h>
      int main(void) {
        for (int i = 0; i < 3; i++) {
          void *library = dlopen("\(library)", RTLD_NOW);
          if (library == 0 || dlclose(library) != 0) return 1;
        }
        return 0;
      }
      """
    let (run, path) = try launchprof.record([try CompiledProgram.c(source, "plugins", in: directory)])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    let loads = self.loads(launch)
    #expect(loads.count { $0 == .string(library) } == 3, "\(loads)")
    #expect(slices(launch).count { $0.name == "dlopen" && $0.paths == [library] } == 3)
  }

  @Test func nothingIsObservedWhenThatIsNotWanted() throws {
    let (run, path) = try launchprof.record(["/bin/true"], options: ["--no-observation"])
    #expect(run.outcome == .exited(0))
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.fact("observer") == nil)
    #expect(launch.top.map(\.id) == ["unattributed"])
    #expect(launch.instants("launchprof.library", "map").isEmpty && launch.trace.switches.count == 0)
    #expect(try launchprof.run(["record", "--no-observation", "--follow", "--", "true"]).outcome == .exited(64))
  }
}
