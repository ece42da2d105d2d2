// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

@Suite(.enabled(if: OpenedFiles() != nil, "only root may watch what is opened"))
struct OpenedFilesTests {
  /// On a disk, because /tmp may be in memory.
  private let disk: TemporaryDirectory
  private let path: String

  init() throws {
    disk = try TemporaryDirectory(in: PackageRoot.appending(".build"))
    path = try disk.write("word\n", to: "a file")
    // The kernel's times of files are some milliseconds late.
    usleep(30_000)
  }

  private func read() throws -> Int32 {
    let program = try RunningProcess.start("/bin/sh", ["-c", "read word < '\(path)'"])
    #expect(try program.finish().succeeded)
    return program.processID
  }

  @Test func eachProcessHasWhatItOpened() throws {
    let watch = try #require(OpenedFiles())
    let first = try read()
    let second = try read()
    let log = watch.log()
    try #require(log.isComplete, "too many files were opened meanwhile")
    #expect(log.files(openedBy: first).contains(path) && log.files(openedBy: second).contains(path))
    for process in [first, second, getpid()] { #expect(!log.files(openedBy: process).contains(disk.path)) }
    #expect(watch.log().files(openedBy: first).isEmpty)
  }

  /// With a name for each launch, these would be missed for ever.
  @Test func whatTheProgramItselfMakesIsNotMissed() throws {
    let watch = try #require(OpenedFiles())
    let made = disk.appending("made")
    let program = try RunningProcess.start("/bin/sh", ["-c", "echo > '\(made)'; read word < '\(made)'"])
    #expect(try program.finish().succeeded)
    #expect(!watch.log().files(openedBy: program.processID).contains(made))
  }

  @Test func whatWasNotEvictedWasMissed() throws {
    for (evicted, missed) in [([path], 0), ([], 1)] {
      let box = EvictionBox(Set(evicted + [path + ".absent"]))
      box.evict()
      let process = try read()
      box.finish()
      #expect(box.opened(by: process).contains(path))
      let others = box.opened(by: process).subtracting(evicted).count
      #expect(box.result(of: process)?.missed == others && others >= missed)
      #expect(box.result(of: -1)?.missed == 0)
    }
  }

  private static let reader = """
    #define _GNU_SOURCE
    #include "opened.c"
    #include <stdlib.h>
    #include <sys/resource.h>
    static const char *directory;
    static int found_count;
    static void count(void *context, pid_t process, const char *opened) {
      (void)context;
      if (process == getpid() && strncmp(opened, directory, strlen(directory)) == 0) found_count++;
    }
    /// Reads with so many free descriptors. Returns whether all openings were there.
    static bool read_with(int watch, int free_descriptors) {
      struct rlimit before, limit;
      getrlimit(RLIMIT_NOFILE, &before);
      limit = before;
      limit.rlim_cur = (rlim_t)(watch + 1 + free_descriptors);
      setrlimit(RLIMIT_NOFILE, &limit);
      bool is_complete = lo_opened_read(watch, count, NULL);
      setrlimit(RLIMIT_NOFILE, &before);
      return is_complete;
    }
    int main(int arguments, char **texts) {
      directory = texts[arguments - 1];
      int watch = lo_opened_watch();
      if (watch < 0) return 1;
      for (int room = 0; room < 4; room += 3) {
        for (int number = 0; number < 20; number++) {
          char path[PATH_MAX];
          snprintf(path, sizeof path, "%s/%d", directory, number);
          close(open(path, O_RDWR | O_CREAT, 0600));
        }
        found_count = 0;
        bool is_complete = read_with(watch, room);
        printf("%d %d\\n", is_complete, found_count);
      }
      return 0;
    }

    """

  /// The kernel opens each file for the reader, and forgets the opening if the reader has no descriptor for it.
  @Test func whatHasNoDescriptorIsMissingAndSaidSo() throws {
    let sources = PackageRoot.appending("Sources")
    let includes = ["CLaunchObserver", "CLaunchObserver/include", "CLaunchSchema"].map { "-I\(sources)/\($0)" }
    let program = try Compiler.c(Self.reader, to: "reader", in: disk, includes)
    let run = try TestProcess.run(program, [disk.path])
    // Without a descriptor, and with three.
    #expect(run.outcome == .exited(0) && run.text == "0 0\n1 20\n", "\(run.text)")
  }
}
