// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport
import Testing

/// Programs that change or remove their files while they run.
extension UnusualProgramTests {
  /// A build replaces the program while it runs. The new file says nothing about the old code.
  @Test func oneThatIsReplacedWhileItRuns() throws {
    try requirePerf()
    func source(_ function: String) -> String {
      """
      #include <stdio.h>
      #include <stdlib.h>
      __attribute__((noinline)) void \(function)(void) { for (volatile long i = 0; i < 20000000; i++); }
      int main(int count, char **arguments) {
        \(function)();
        return rename(arguments[1], arguments[0]) == 0 ? 7 : 1;
      }
      """
    }
    let next = try CompiledProgram.c(source("later"), "next", ["-Wl,--build-id"], in: directory)
    let program = try CompiledProgram.c(source("earlier"), "program", ["-Wl,--build-id"], in: directory)
    let (run, launch) = try observe([program, next])
    #expect(run.outcome == .exited(7))
    let images = launch.trace.stacks.frames.map { launch.trace.strings[StringID(rawValue: $0.image)] }
    #expect(images.contains("\(program) (deleted)") && !images.contains(program))
    #expect(!launch.trace.moduleSymbols.contains { $0.function == "later" })
    #expect(launch.trace.moduleSymbols.contains { $0.function == "earlier" })
    #expect(launch.fact("image") == nil)
    #expect(launch.fact("observer_shortcoming") == nil)
  }

  /// As programs that extract themselves do. The launcher has their file open, but not that of a library.
  @Test func oneThatRemovesItsFiles() throws {
    try requirePerf()
    try CompiledProgram.c(
      "void work(void) { for (volatile long i = 0; i < 20000000; i++); }", "libwork.so", ["-shared", "-fPIC"],
      in: directory)
    let source = """
      #include <unistd.h>
      void work(void);
      __attribute__((noinline)) void own_work(void) { for (volatile long i = 0; i < 20000000; i++); }
      int main(int count, char **arguments) {
        if (unlink(arguments[0]) != 0 || unlink(arguments[1]) != 0) return 1;
        own_work();
        work();
        return 7;
      }
      """
    let library = directory.appending("libwork.so")
    let program = try CompiledProgram.c(source, "program", [library, "-Wl,--build-id"], in: directory)
    let (run, launch) = try observe([program, library])
    #expect(run.outcome == .exited(7))
    #expect(launch.trace.moduleSymbols.contains { $0.function == "own_work" && $0.path == program && $0.buildID != "" })
    #expect(
      launch.fact("observer_shortcoming")
        == .string("removed during the launch, so their code has no names: \(library)"))
  }

  /// git: the report said that the code of `.git/index` has no names.
  @Test func oneThatReplacesItsData() throws {
    try requirePerf()
    let source = """
      #include <fcntl.h>
      #include <stdio.h>
      #include <sys/mman.h>
      int main(int count, char **arguments) {
        int file = open(arguments[1], O_RDONLY);
        const char *data = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
        return data != MAP_FAILED && data[0] == 'o' && rename(arguments[2], arguments[1]) == 0 ? 7 : 1;
      }
      """
    let (old, new) = (try directory.write("old", to: "data"), try directory.write("new", to: "next"))
    let (run, launch) = try observe([try CompiledProgram.c(source, "program", in: directory), old, new])
    #expect(run.outcome == .exited(7))
    #expect(launch.fact("observer_shortcoming") == nil)
  }
}
