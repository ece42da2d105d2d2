// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// If the trace has no room, the program continues, and the trace says what is missing.
struct ExhaustionTests {
  /// Number of intervals and instants in one thread's rounds.
  private func events(ofRounds rounds: Int) -> Int { rounds * 3 + (rounds + 7) / 8 + (rounds + 15) / 16 }

  @Test(arguments: [65_536, 131_072, 1 << 20])
  func theFileLimitIsReached(limit: Int) throws {
    let run = try ProofRun()
    let rounds = 20_000
    #expect(try run.run(["write", run.ledger, "\(rounds)", "4", "0"], limit: limit).succeeded)
    let trace = try expectSound(run.trace)
    #expect(try #require(FileManager.default.attributesOfItem(atPath: run.trace)[.size] as? Int) <= limit)
    #expect(expectEveryEventAccountedFor(in: trace, emitted: 4 * events(ofRounds: rounds)) > 0)
  }

  /// A thread fills the trace, and marks; so do the first thread, and one that never had room.
  private static let filling = """
    #include <pthread.h>
    #include "CLaunchRecorder.h"

    static void *fill(void *unused) {
      const lr_category *category = lr_category_make("org.example", 11, "full", 4);
      for (int i = 0; i < 20000; i++) {
        lr_interval interval = lr_interval_begin(category, "work");
        lr_interval_end(category, "work", interval);
      }
      lr_mark("filled", 6);
      // More than there are places for.
      char name[8] = "other-0";
      for (; name[6] < '9'; name[6]++) lr_mark(name, 7);
      return unused;
    }

    static void *mark(void *unused) {
      // As at each health check: only the first one counted.
      for (int i = 0; i < 40; i++) lr_mark("ready", 5);
      lr_mark("fully-drawn", 11);
      return unused;
    }

    static void run(void *(*body)(void *)) {
      pthread_t thread;
      pthread_create(&thread, NULL, body, NULL);
      pthread_join(thread, NULL);
    }

    int main(void) {
      run(fill);
      lr_mark("ready", 5);
      run(mark);
    }

    """

  /// Without the mark that ends it, the launch would look unfinished.
  @Test(arguments: [65_536, 262_144])
  func milestonesAreKept(limit: Int) throws {
    let run = try ProofRun()
    let source = try run.directory.write(Self.filling, to: "filling.c")
    let program = try RecorderProgram.compile(source, to: "filling", in: run.directory)
    #expect(try TestProcess.run(program, [], adding: run.environment(limit: limit)).succeeded)
    let trace = try expectSound(run.trace)
    let marks = trace.instants.name.indices.filter { trace.string(trace.instants.category[$0]) == "launchprof.mark" }
    let names = marks.map { trace.string(trace.instants.name[$0]) }
    #expect(names == ["main", "filled", "other-0", "other-1", "other-2", "ready", "fully-drawn"])
    // Each is on its thread's track; the last one has none.
    let tracks = Dictionary(zip(names, marks.map { trace.instants.track[$0] })) { first, _ in first }
    #expect(tracks["main"] == tracks["ready"] && tracks["filled"] == tracks["other-0"])
    #expect(Set([tracks["ready"], tracks["filled"], tracks["fully-drawn"]]).count == 3)
    guard case .double(let dropped)? = trace.annotations(category: "launchprof.recorder")["events_dropped"] else {
      Issue.record("events_dropped is missing")
      return
    }
    let pairs = trace.slices.name.indices.count { trace.string(trace.slices.name[$0]) == "work" }
    // The intervals, 6 + 40 marks, and perhaps a clock snapshot when the launch is complete.
    #expect((46...49).contains(Int(dropped) - (20_000 - pairs)), "\(dropped) \(pairs)")
  }

  /// Each of its marks counted as the first one of its name, and took a place that is reserved for others.
  @Test func aMilestoneThatHasNoPlaceInTheSummaryLeavesTheReserveToOthers() throws {
    let run = try ProofRun()
    let source = try run.directory.write(
      """
      #include <stdio.h>
      #include "CLaunchRecorder.h"
      int main(void) {
        char name[16];
        for (int i = 0; i < 70; i++) lr_mark(name, (size_t)snprintf(name, sizeof name, "early %d", i));
        while (lr_summary_get().events_dropped == 0) lr_mark("early 0", 7);
        for (int i = 0; i < 10; i++) lr_mark("later", 5);
        lr_mark("ready", 5);
      }
      """, to: "health.c")
    let program = try RecorderProgram.compile(source, to: "health", in: run.directory)
    #expect(try TestProcess.run(program, [], adding: run.environment(limit: 65_536)).succeeded)
    let trace = try expectSound(run.trace)
    let names = trace.instants.name.map { trace.string($0) }
    #expect(names.contains("early 69") && names.contains("ready") && !names.contains("later"))
  }

  @Test(arguments: [Int.min, 0, 1]) func aLimitThatIsTooSmallIsTheSmallest(limit: Int) throws {
    let run = try ProofRun()
    let program = try TestProcess.run(BuiltProgram.product("proof-program"), ["limit", run.ledger, "\(limit)"])
    #expect(program.text == "65536\n")
  }

  /// All new threads would wait for it.
  @Test func aLostEventOfANewThreadTakesNoLock() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <dlfcn.h>
      #include <pthread.h>
      static __thread long locks;
      int pthread_mutex_lock(pthread_mutex_t *mutex) {
        locks++;
        return ((int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock"))(mutex);
      }
      static const lr_category *category;
      static void *record(void *unused) {
        (void)unused;
        for (int i = 0; i < 10000; i++) lr_event(category, "event");
        return (void *)locks;
      }
      int main(void) {
        lr_options options = {.limit = 1 << 16};
        if (lr_start(&options) != LR_STARTED) return 1;
        category = lr_category_make("", 0, "test", 4);
        void *taken = NULL;
        // The first one fills the trace. The second one finds the writer of the first one.
        for (int i = 0; i < 3; i++) {
          pthread_t thread;
          if (pthread_create(&thread, NULL, record, NULL) || pthread_join(thread, &taken)) return 2;
        }
        return lr_summary_get().events_dropped < 20000 || (long)taken > 10;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }

  @Test func aSpoolThatCannotBeListedKeepsNoDescriptor() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <dirent.h>
      #include <errno.h>
      #include <fcntl.h>
      #include <lr_spool.h>
      DIR *fdopendir(int descriptor) {
        (void)descriptor;
        errno = ENOMEM;
        return NULL;
      }
      static int opened(void) {
        int count = 0;
        for (int descriptor = 0; descriptor < 100; descriptor++) count += fcntl(descriptor, F_GETFD) != -1;
        return count;
      }
      int main(int count, char **texts) {
        lr_spool spool = {.directory = texts[count - 1], .most_files = 10, .most_bytes = 1000};
        lr_spool_record record = {.id = "0123456789abcdef0123456789abcdef", .line = "{}", .length = 2};
        int before = opened();
        if (lr_spool_add(&spool, &record) != ENOMEM) return 2;
        return opened() != before;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program, [directory.appending("spool")]).outcome == .exited(0))
  }

  /// `LAUNCHPROF_LIMIT` is a number of bytes. Its digits alone would be the smallest limit.
  @Test func aLimitWithAUnitIsNone() throws {
    let run = try ProofRun()
    var environment = run.environment()
    environment["LAUNCHPROF_LIMIT"] = "64MB"
    let program = try TestProcess.run(
      BuiltProgram.product("proof-program"), ["write", run.ledger, "5000", "4", "0"], adding: environment)
    #expect(program.succeeded)
    #expect(try expectSound(run.trace).annotations(category: "launchprof.recorder")["events_dropped"] == .double(0))
  }

  private static let ownMounts = geteuid() == 0 ? "-m" : "-rm"
  /// A container may forbid mounts even to root.
  private static let mayMount: ConditionTrait = .enabled("mounts are not allowed here") {
    try TestProcess.run("/usr/bin/unshare", [ownMounts, "mount", "-t", "tmpfs", "none", "/mnt"]).succeeded
  }

  /// Before Linux 5.14, another system call allocates the file's blocks.
  @Test(mayMount, arguments: ["600k", "100k", "20k", "4k"], [false, true])
  func theDiskIsFull(size: String, isOldKernel: Bool) throws {
    let run = try ProofRun()
    let rounds = 5_000
    let script = """
      set -e
      mkdir "$1/disk"
      mount -t tmpfs -o size=\(size) none "$1/disk"
      directory=$1
      shift
      LAUNCHPROF_TRACE="$directory/disk/trace.pftrace" "$@" write "$directory/ledger" \(rounds) 4 0
      if [ -s "$directory/disk/trace.pftrace" ]; then cp "$directory/disk/trace.pftrace" "$directory/trace.pftrace"; fi
      """
    // A private mount, which disappears with the shell.
    let unshare = try TestProcess.run(
      "/usr/bin/unshare",
      [Self.ownMounts, "/bin/sh", "-c", script, "sh", run.directory.path]
        + (isOldKernel ? [BuiltProgram.product("restricted"), "populate"] : [])
        + [BuiltProgram.product("proof-program")])
    // Without a mount, nothing that follows says why.
    try #require(unshare.succeeded, "\(unshare.outcome) \(unshare.errorText)")
    #expect(try run.committed().map(\.rounds) == [rounds, rounds, rounds, rounds])
    guard access(run.trace, R_OK) == 0 else {
      #expect(size == "4k" || size == "20k", "a disk of \(size) has room for some events")
      return
    }
    let found = expectEveryEventAccountedFor(in: try expectSound(run.trace), emitted: 4 * events(ofRounds: rounds))
    // 20 KiB have room only for the main thread's events.
    #expect(found > 0 || size == "20k")
  }

  /// With `ulimit -f`, SIGXFSZ would kill a process that makes a file too large.
  @Test func theFileSizeLimitOfTheShell() throws {
    let run = try ProofRun()
    let shell = try TestProcess.run(
      "/bin/sh",
      [
        "-c", "ulimit -f 64; exec \"$@\"", "sh", BuiltProgram.product("proof-program"), "write", run.ledger, "100", "2",
        "0",
      ],
      adding: run.environment())
    #expect(shell.succeeded, "\(shell.outcome) \(shell.errorText)")
    #expect(try run.committed().map(\.rounds) == [100, 100])
    if access(run.trace, R_OK) == 0 { _ = try expectSound(run.trace) }
  }

  /// The trace may have 1 GiB, which is more than the address space: `ulimit -v`.
  @Test func theAddressSpaceIsSmallerThanTheTrace() throws {
    let run = try ProofRun()
    let rounds = 2_000
    let shell = try TestProcess.run(
      "/bin/sh",
      [
        "-c", "ulimit -v 900000; exec \"$@\"", "sh", BuiltProgram.product("proof-program"), "write", run.ledger,
        "\(rounds)", "2", "0",
      ],
      adding: run.environment(limit: 1 << 30))
    #expect(shell.succeeded, "\(shell.outcome) \(shell.errorText)")
    let trace = try expectSound(run.trace)
    #expect(trace.annotations(category: "launchprof.recorder")["events_dropped"] == .double(0))
    #expect(try #require(FileManager.default.attributesOfItem(atPath: run.trace)[.size] as? Int) > 256 << 10)
  }

  @Test(arguments: ["/no/such/folder/trace.pftrace", "/proc/trace.pftrace", ""])
  func aPlaceThatCannotBeWritten(path: String) throws {
    let run = try ProofRun()
    let program = try TestProcess.run(
      BuiltProgram.product("proof-program"), ["write", run.ledger, "100", "2", "0"], adding: ["LAUNCHPROF_TRACE": path])
    #expect(program.succeeded)
    #expect(try run.committed().map(\.rounds) == [100, 100])
  }

  private func expectSound(_ path: String) throws -> Trace {
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let trace = try TraceReader().read(path: path)
    #expect(trace.diagnostics.isEmpty)
    return trace
  }

  /// Expects that found and dropped events are all that the program emitted. Returns the number found.
  private func expectEveryEventAccountedFor(in trace: Trace, emitted: Int) -> Int {
    let events = ThreadEvents(trace)
    let names: Set = ["outer", "inner", "async", "tick", "note"]
    let finished = events.slices.values.flatMap(\.self).filter { names.contains($0.key) }.reduce(0) { $0 + $1.value }
    let instants = events.instants.values.flatMap(\.self).filter { names.contains($0.key) }.reduce(0) { $0 + $1.value }
    let found = finished + instants
    let dropped = trace.annotations(category: "launchprof.recorder")["events_dropped"]
    guard case .double(let count)? = dropped else {
      Issue.record("events_dropped is \(String(describing: dropped))")
      return 0
    }
    #expect(count > 0)
    // A few events are the recorder's own: phases, and its description of itself.
    #expect((emitted...(emitted + 16)).contains(found + Int(count)), "\(found) found, \(count) dropped of \(emitted)")
    return found
  }
}
