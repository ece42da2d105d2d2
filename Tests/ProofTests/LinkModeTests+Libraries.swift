// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension LinkModeTests {
  /// Its array of initialisers shares a page with data. The recorder made that page read-only.
  @Test(arguments: ["-Wl,-z,norelro", "-Wl,-z,relro"]) func aStaticProgramKeepsItsWritableData(option: String) throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      static volatile int counter = 1, many[16] = {1};
      __attribute__((constructor)) static void count(void) { counter++; }
      int main(void) {
        many[3] = ++counter;
        return lr_is_recording() && many[3] == 3 ? 0 : 1;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(
      directory.appending("main.c"), ["-static", option], in: directory, compiler: "musl-gcc")
    let run = try TestProcess.run(program, adding: ["LAUNCHPROF_TRACE": directory.appending("static.pftrace")])
    #expect(run.outcome == .exited(0))
  }

  /// The end of a thread that had recorded called code that dlclose(3) had removed.
  @Test func aLibraryThatRecordsStaysLoaded() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      #define PUBLIC __attribute__((visibility("default")))
      PUBLIC int begin(const char *path) {
        lr_options options = {.path = path};
        return (int)lr_start(&options);
      }
      PUBLIC void record(void) { lr_event(lr_category_make("", 0, "library", 7), "event"); }
      """, to: "library.c")
    try directory.write(
      """
      #include <dlfcn.h>
      #include <pthread.h>
      static void (*record)(void);
      static pthread_barrier_t barrier;
      static void *work(void *context) {
        record();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        return context;
      }
      int main(int count, char **arguments) {
        void *library = count == 3 ? dlopen(arguments[1], RTLD_NOW) : NULL;
        int (*begin)(const char *) = library ? (int (*)(const char *))dlsym(library, "begin") : NULL;
        record = library ? (void (*)(void))dlsym(library, "record") : NULL;
        if (!begin || !record || begin(arguments[2]) != 0) return 1;
        pthread_t thread;
        pthread_barrier_init(&barrier, NULL, 2);
        if (pthread_create(&thread, NULL, work, NULL) != 0) return 2;
        pthread_barrier_wait(&barrier);
        dlclose(library);
        pthread_barrier_wait(&barrier);
        pthread_join(thread, NULL);
        return dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) ? 0 : 3;
      }
      """, to: "host.c")
    let library = try RecorderProgram.compile(
      directory.appending("library.c"), to: "library.so", ["-shared", "-fPIC", "-fuse-ld=gold"], in: directory)
    let host = directory.appending("host")
    try Compiler.run("gcc", [directory.appending("host.c"), "-o", host, "-ldl", "-lpthread"], in: directory)
    let run = try TestProcess.run(host, [library, directory.appending("library.pftrace")])
    #expect(run.outcome == .exited(0), "\(run.outcome)")
  }
}
