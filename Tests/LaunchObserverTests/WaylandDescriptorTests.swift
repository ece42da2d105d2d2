// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The relay in a program of its own, whose limit of open files is no other test's.
struct WaylandDescriptorTests {
  private static let source = """
    #define _GNU_SOURCE
    #include <CLaunchObserver.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/resource.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>
    static struct sockaddr_un address(const char *path) {
      struct sockaddr_un made = {.sun_family = AF_UNIX};
      strncpy(made.sun_path, path, sizeof made.sun_path - 1);
      return made;
    }
    int main(void) {
      int error, compositor = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
      struct sockaddr_un real = address("compositor"), relayed = address("relay");
      if (bind(compositor, (struct sockaddr *)&real, sizeof real) != 0 || listen(compositor, 8) != 0) return 1;
      lo_wayland *relay = lo_wayland_open("relay", "compositor", &error);
      if (relay == NULL) return 2;
      struct rlimit limit;
      getrlimit(RLIMIT_NOFILE, &limit);
      int last = dup(client);
      close(last);
      limit.rlim_cur = (rlim_t)last;
      setrlimit(RLIMIT_NOFILE, &limit);
      alarm(20);
      // Nobody waits.
      lo_wayland_pass_on(relay);
      // A client waits, and is refused.
      if (connect(client, (struct sockaddr *)&relayed, sizeof relayed) != 0) return 3;
      lo_wayland_pass_on(relay);
      char byte;
      return read(client, &byte, 1) == 0 ? 0 : 4;
    }

    """

  /// accept(2) fails without a descriptor also if nobody waits. The relay asked again for ever.
  @Test func withoutDescriptorsAClientIsRefusedAndNothingIsAskedAgain() throws {
    let directory = try TemporaryDirectory()
    let sources = PackageRoot.appending("Sources")
    let observer = "\(sources)/CLaunchObserver"
    let files = try FileManager.default.contentsOfDirectory(atPath: observer).filter { $0.hasSuffix(".c") }
    let options = ["-I\(observer)/include", "-I\(sources)/CLaunchSchema", "-lpthread", "-ldl"]
    let program = try Compiler.c(
      Self.source, to: "relay-program", in: directory, files.map { "\(observer)/\($0)" } + options)
    let run = try TestProcess.run(program, directory: directory.path)
    #expect(run.outcome == .exited(0))
  }
}
