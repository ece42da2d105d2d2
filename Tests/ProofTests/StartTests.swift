// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Programs that start to record by themselves, in ways that few programs do.
struct StartTests {
  let directory: TemporaryDirectory
  var trace: String { directory.appending("launch.pftrace") }

  init() throws { directory = try TemporaryDirectory(keepsTraces: true) }

  private func run(_ arguments: [String], adding: [String: String] = [:]) throws -> TestProcess {
    try TestProcess.run(BuiltProgram.product("starting-program"), arguments, adding: adding)
  }

  private func lines(_ run: TestProcess) -> [String] { run.text.split(separator: "\n").map(String.init) }

  @Test func thePathMayHoldTheProcessID() throws {
    let run = try run(["plain", directory.appending("launch-{pid}-{pid}.pftrace")])
    #expect(run.succeeded)
    let lines = lines(run)
    try #require(lines.count == 2)
    #expect(lines[1] == "launch-\(lines[0])-\(lines[0]).pftrace")
    #expect(try directory.contents() == [lines[1]])
  }

  @Test func aPathThatExistsGetsANumberUpTo99() throws {
    for number in 2...98 { try directory.write("", to: "launch-\(number).pftrace") }
    try directory.write("", to: "launch.pftrace")
    #expect(lines(try run(["plain", trace])).last == "launch-99.pftrace")
    #expect(try run(["plain", trace]).outcome == .exited(EEXIST))
    #expect(try directory.contents().count == 99)
  }

  /// A failed start must not stand in the way of the next one.
  @Test(arguments: [true, false])
  func afterAStartWithoutAFileOneInMemoryFollows(isDirectory: Bool) throws {
    for number in 2...99 { try directory.write("", to: "launch-\(number).pftrace") }
    try directory.write("", to: "launch.pftrace")
    let run = try run(["or-in-memory", isDirectory ? directory.path : trace])
    #expect(run.succeeded && run.text == "recording\n", "\(run.outcome) \(run.text)")
    #expect(try directory.contents().count == 99)
  }

  /// Old kernels, file systems that cannot allocate blocks, and sandboxes.
  @Test(arguments: ["populate,fallocate", "populate", "memfd"], [true, false])
  func aStartNeedsNoNewSystemCalls(refused: String, isInMemory: Bool) throws {
    let run = try TestProcess.run(
      BuiltProgram.product("restricted"),
      [refused, BuiltProgram.product("starting-program"), "many"] + (isInMemory ? [] : [trace]))
    #expect(run.succeeded && lines(run) == ["65", "ready", "complete"], "\(run.outcome) \(run.text)")
    if !isInMemory { #expect(try TraceReader().read(path: trace).diagnostics.isEmpty) }
  }

  @Test(arguments: [true, false])
  func aKernelThatCannotWipeMemoryIsNamed(isRecorded: Bool) throws {
    let run = try TestProcess.run(
      BuiltProgram.product("restricted"), ["wipe-on-fork", BuiltProgram.product("starting-program"), "plain", trace],
      adding: isRecorded ? ["LAUNCHPROF_TRACE": directory.appending("first.pftrace")] : [:])
    #expect(run.outcome == .exited(ENOSYS))
    #expect(try directory.contents() == [])
  }

  /// Only a process with one thread may enter some namespaces, unshare(2).
  @Test func theThreadOfTheDeadlineEndsWithTheLaunch() throws {
    let run = try run(["deadline", trace])
    #expect(run.succeeded && run.text == "completed\n", "\(run.outcome) \(run.text)")
  }

  /// After that, no milestone counts, so each deadline passed: a launch that ended well was reported as a time-out.
  @Test func aProgramThatStopsTheRecordingHasNoDeadline() throws {
    let run = try run(["stopped", trace])
    #expect(run.succeeded && run.text.isEmpty, "\(run.outcome) \(run.text)")
  }

  /// A launcher records from the first moment on, and so the launch may be complete before the program starts the recorder.
  @Test func aLaunchThatWasCompleteBeforeTheStartIsReported() throws {
    let run = try run(["before-start"], adding: ["LAUNCHPROF_TRACE": trace])
    #expect(run.succeeded && run.text == "completed\n", "\(run.outcome) \(run.text)")
  }

  @Test func theCostOfTheStartIsCounted() throws {
    #expect(try run(["plain", trace]).succeeded)
    let recorded = try TraceReader().read(path: trace)
    guard case .double(let cost)? = recorded.annotations(category: "launchprof.recorder")["startup_cost_ns"] else {
      Issue.record("startup_cost_ns is missing")
      return
    }
    #expect(cost > 0)
  }

  /// What happened before `start` happened on the main thread.
  @Test func thePhasesBeforeMainAreOnTheMainThreadWhoeverStarts() throws {
    #expect(try run(["on-thread", trace]).succeeded)
    let recorded = try TraceReader().read(path: trace)
    let threads = recorded.tracks.filter { $0.kind == .thread }
    #expect(threads.filter(\.isMainThread).map { recorded.strings[$0.name] } == ["starting-progra"])
    #expect(threads.count == 2)
    let slices = (0..<recorded.slices.count).map { row in
      (recorded.string(recorded.slices.name[row]), recorded.tracks[Int(recorded.slices.track[row])])
    }
    #expect(slices.map(\.0) == ["load", "static-init"])
    #expect(slices.allSatisfy { $0.1.isMainThread })
    let instants = (0..<recorded.instants.count).map { row in
      (recorded.string(recorded.instants.name[row]), recorded.tracks[Int(recorded.instants.track[row])])
    }
    #expect(instants.map(\.0) == ["main", "recorder", "event"])
    #expect(instants.map { $0.1.isMainThread } == [true, false, true])
  }

  @Test func aProgramMayTakeItsOptionsAway() throws {
    let run = try run(["without-option", trace, "--option"])
    #expect(run.succeeded, "\(run.outcome)")
    let recorded = try TraceReader().read(path: trace)
    #expect(recorded.processes.map(\.commandLine.count) == [3])
  }

  @Test func aProgramMayTakeVariablesAway() throws {
    let run = try run(
      ["without-variable", trace], adding: ["LAUNCHPROF_TEST_FIRST": "1", "LAUNCHPROF_UNREDACTED": "1"])
    #expect(run.succeeded)
    #expect(run.text == "unredacted\n")
  }

  @Test func theMilestoneThatEndsTheLaunchAlwaysHasAPlace() throws {
    let run = try run(["many"])
    #expect(run.succeeded)
    #expect(lines(run) == ["65", "ready", "complete"])
  }

  /// The table of milestones needs memory.
  @Test func theMilestoneThatEndsTheLaunchNeedsNoMemory() throws {
    let run = try run(["without-memory"])
    #expect(run.succeeded)
    #expect(lines(run) == ["ready", "fully-drawn"])
  }

  @Test func aMilestoneCountsEvenIfTheTraceIsFull() throws {
    let run = try run(["full"])
    #expect(run.succeeded)
    #expect(lines(run) == ["completed", "ready", "counted"])
  }

  private func compileLibrary() throws {
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      int start(const char *path) {
        lr_options options = {.path = path};
        return lr_start(&options) != LR_STARTED || lr_summary_get().preinit != 0;
      }
      """, to: "library.c")
    // As Swift does. GNU's other linker refuses a .preinit_array in a library.
    _ = try RecorderProgram.compile(
      directory.appending("library.c"), to: "librecorder.so", ["-shared", "-fPIC", "-fuse-ld=gold"], in: directory)
  }

  /// The program may open the library long after its own launch, on any thread. That time is not the library's loading.
  @Test(arguments: ["open_and_start(texts)", "on_thread(texts)"])
  func aRecorderInAnOpenedLibraryLeavesTheTimeBeforeToTheProgram(call: String) throws {
    try compileLibrary()
    let host = try Compiler.c(
      """
      #include <dlfcn.h>
      #include <pthread.h>
      #include <unistd.h>
      static void *open_and_start(void *texts) {
        void *library = dlopen(((char **)texts)[1], RTLD_NOW);
        int (*start)(const char *) = library ? (int (*)(const char *))dlsym(library, "start") : 0;
        return start && start(((char **)texts)[2]) == 0 ? 0 : texts;
      }
      static void *on_thread(void *texts) {
        pthread_t thread;
        void *error = texts;
        return pthread_create(&thread, 0, open_and_start, texts) || pthread_join(thread, &error) ? texts : error;
      }
      int main(int count, char **texts) {
        usleep(20000);
        return \(call) != 0;
      }
      """, to: "host", in: directory, ["-Wno-unused-function"])
    #expect(try TestProcess.run(host, [directory.appending("librecorder.so"), trace]).succeeded)
    let recorded = try TraceReader().read(path: trace)
    let phases = RecordedSpan.phases(in: recorded)
    #expect(phases.map(\.name) == ["before-recorder"])
    #expect(recorded.tracks[Int(recorded.slices.track[0])].isMainThread)
    #expect(recorded.strings.id(of: "preinit_ns") == nil)
  }

  @Test func aRecorderInALibraryKnowsTheProgram() throws {
    try compileLibrary()
    let host = try Compiler.c(
      "int start(const char *path); int main(int count, char **texts) { return start(texts[1]); }", to: "host",
      in: directory, ["-L.", "-lrecorder", "-Wl,-rpath,\(directory.path)"])
    #expect(try TestProcess.run(host, [trace, "https://a/b", ""]).succeeded)
    let process = try #require(try TraceReader().read(path: trace).processes.first)
    #expect(process.name == "host")
    #expect(process.commandLine == [host, trace, "<URL, 11 bytes>", ""])
  }

  /// Its start code runs its initialisers, and not glibc: releases are for systems with such a glibc.
  @Test func aProgramOfAnOlderGlibcHasItsMain() throws {
    try directory.write(
      """
      typedef int (*start)(int, char **, char **);
      typedef void (*initializer)(int, char **, char **);
      extern initializer __init_array_start[], __init_array_end[];
      static void run(int count, char **texts, char **environment) {
        for (initializer *each = __init_array_start; each < __init_array_end; each++) (*each)(count, texts, environment);
      }
      int __real___libc_start_main(start, int, char **, initializer, void *, void *, void *);
      int __wrap___libc_start_main(start main, int count, char **texts, void *none, void *end, void *loader, void *stack) {
        return __real___libc_start_main(main, count, texts, run, end, loader, stack);
      }
      int main(void) { return 0; }
      """, to: "old.c")
    let program = try RecorderProgram.compile(
      directory.appending("old.c"), ["-Wl,--wrap=__libc_start_main"], in: directory)
    #expect(try TestProcess.run(program, adding: ["LAUNCHPROF_TRACE": trace]).succeeded)
    let recorded = try TraceReader().read(path: trace)
    #expect(recorded.instants.name.map { recorded.string($0) }.contains("main"))
    let phases = RecordedSpan.phases(in: recorded)
    #expect(phases.map(\.name) == ["load", "recorder", "static-init"] && phases.allSatisfy { $0.start <= $0.end })
  }

  /// A program may start to record long after its launch. The sleep is no part of the launch.
  @Test func aMachineMaySleepBeforeTheStart() throws {
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      static const long slept = 3600;
      static int is_after_sleep;
      int clock_gettime(clockid_t clock, struct timespec *time) {
        int result = (int)syscall(SYS_clock_gettime, clock, time);
        if (is_after_sleep && clock == CLOCK_BOOTTIME) time->tv_sec += slept;
        return result;
      }
      int main(void) {
        is_after_sleep = 1;
        lr_options options = {0};
        struct timespec now;
        if (lr_start(&options) != LR_STARTED || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 1;
        return now.tv_sec - (long)(lr_summary_get().process_start / 1000000000) >= slept - 1;
      }
      """, to: "asleep.c")
    let program = try RecorderProgram.compile(directory.appending("asleep.c"), in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }

  /// As a container's entry point does, which waits for a database and then executes the server.
  @Test func aWaitBeforeExecIsNoPartOfTheLaunch() throws {
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <stdio.h>
      #include <unistd.h>
      int main(int count, char **texts) {
        if (count == 2) {
          usleep(400000);
          execl(texts[0], texts[0], texts[1], "again", (char *)NULL);
        }
        lr_options options = {.path = texts[1]};
        if (lr_start(&options) != LR_STARTED) return 1;
        lr_summary summary = lr_summary_get();
        uint64_t load = summary.preinit - summary.process_start;
        return load > 200000000 ? 2 : summary.process_start_error < 200000000 ? 3 : 0;
      }
      """, to: "waits.c")
    let program = try RecorderProgram.compile(directory.appending("waits.c"), in: directory)
    #expect(try TestProcess.run(program, [trace]).outcome == .exited(0))
  }

  @Test func anInitialiserBesideAnEmptyArrayRunsOnce() throws {
    try directory.write(
      "#include <stdio.h>\nvoid begin(void) { puts(\"begun\"); fflush(stdout); }", to: "library.c")
    try Compiler.run(
      "gcc", ["-shared", "-fPIC", "-Wl,-init,begin", "library.c", "-o", "liblibrary.so"], in: directory)
    var bytes = try contents(directory.appending("liblibrary.so"))
    func number(_ place: Int, _ size: Int) -> Int { (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    // elf(5): e_phoff, e_phentsize and e_phnum; p_type PT_DYNAMIC, p_offset and p_filesz; d_tag DT_INIT_ARRAYSZ.
    let headers = (0..<number(56, 2)).map { number(32, 8) + $0 * number(54, 2) }
    let dynamic = try #require(headers.first { number($0, 4) == 2 })
    let entries = stride(from: number(dynamic + 8, 8), to: number(dynamic + 8, 8) + number(dynamic + 32, 8), by: 16)
    let size = try #require(entries.first { number($0, 8) == 27 })
    bytes.replaceSubrange(size + 8..<size + 16, with: repeatElement(0, count: 8))
    try directory.write(bytes, to: "liblibrary.so")
    try directory.write("int main(void) { return 0; }", to: "main.c")
    let program = try RecorderProgram.compile(
      directory.appending("main.c"), ["-Wl,--no-as-needed,-rpath,\(directory.path)", "-L.", "-llibrary"], in: directory)
    let run = try TestProcess.run(program, adding: ["LAUNCHPROF_TRACE": trace])
    #expect(run.succeeded && run.text == "begun\n", "\(run.text)")
  }

  @Test func anEmptyPathIsRefused() throws {
    #expect(try run(["plain", ""]).outcome == .exited(ENOENT))
  }

  @Test func urlsInArgumentsArePrivate() throws {
    let arguments = [
      "https://a/b", "--to=mailto:a@b", "TEL:123", "magnet:?xt=1", "C:\\x", "C://x", "key:value", "host:80", "12:30",
      "hotel:5", "a:b",
    ]
    let run = try run(["plain", trace] + arguments)
    #expect(run.succeeded)
    let recorded = try TraceReader().read(path: trace)
    let urls = ["<URL, 11 bytes>", "--to=<URL, 10 bytes>", "<URL, 7 bytes>", "<URL, 12 bytes>"]
    #expect(recorded.processes.first?.commandLine.dropFirst(3).map(\.self) == urls + arguments.dropFirst(4))
  }

  /// Two containers with one volume each have a process 1.
  @Test func theFileOfAnotherProcessIsKept() throws {
    let run = try run(["beside-another", trace])
    #expect(run.succeeded)
    #expect(lines(run) == ["launch.pftrace", "kept"])
    #expect(try directory.contents() == ["launch.pftrace"])
  }
}
