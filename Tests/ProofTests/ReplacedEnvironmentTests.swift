// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// The kernel's environment and what follows it are not where `environ` points, if something has replaced that.
struct ReplacedEnvironmentTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(keepsTraces: true) }

  /// Libraries' constructors run before the recorder begins, with musl and under a sanitizer.
  @Test(
    arguments: [("gcc", ["-fsanitize=address"]), ("musl-gcc", [])], ["setenv(\"A\", \"1\", 1)", "unsetenv(\"B\")"])
  func aLibraryMayChangeTheEnvironment(compiler: (name: String, options: [String]), call: String) throws {
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <stdlib.h>
      __attribute__((constructor)) static void change(void) { \(call); }
      """, to: "library.c")
    try Compiler.run(
      compiler.name, ["-shared", "-fPIC", "library.c", "-o", "liblibrary.so"] + compiler.options, in: directory)
    try directory.write("int main(void) { return 0; }", to: "main.c")
    let program = try RecorderProgram.compile(
      directory.appending("main.c"),
      compiler.options + ["-Wl,--no-as-needed,-rpath,\(directory.path)", "-L.", "-llibrary"],
      in: directory, compiler: compiler.name)
    #expect(try TestProcess.run(program, adding: ["B": "1"]).succeeded)

    let path = directory.appending("launch.pftrace")
    #expect(try TestProcess.run(program, ["argument"], adding: ["LAUNCHPROF_TRACE": path, "B": "1"]).succeeded)
    let trace = try TraceReader().read(path: path)
    #expect(trace.processes.first?.commandLine == [program, "argument"])
    #expect(RecordedSpan.phases(in: trace).map(\.name) == ["load", "recorder", "static-init"])
  }

  /// glibc calls the first function of a recorder in a library that the program opens, with the program's environment.
  @Test(arguments: ["environ = own", "clearenv()"])
  func aProgramMayMakeItsEnvironmentItself(call: String) throws {
    try directory.write("", to: "library.c")
    let library = try RecorderProgram.compile(
      directory.appending("library.c"), to: "librecorder.so", ["-shared", "-fPIC", "-fuse-ld=gold"], in: directory)
    let host = try Compiler.c(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(int count, char **texts) {
        // Nothing can be read after its end.
        char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char **own = (char **)(void *)(pages + 4096 - sizeof(char *));
        mprotect(pages + 4096, 4096, PROT_NONE);
        (void)own;
        \(call);
        return dlopen(texts[1], RTLD_NOW) == 0;
      }
      """, to: "host", in: directory)
    #expect(try TestProcess.run(host, [library]).succeeded)
  }
}
