// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Several launches with a file as standard input.
final class RepeatedInputTests: CommandSuite {
  @Test(arguments: [
    "record -n 3 --warmup 1 -q -o traces/ -- ./reader", "bench --max-runs 3 --warmup 1 --quiet -- ./reader",
    "bench --max-runs 2 --quiet --vs ./base -- ./reader",
    "bench --max-runs 2 --quiet --counts instructions --vs ./base -- ./reader",
  ])
  func eachLaunchReadsTheWholeFile(command: String) throws {
    let reader = try CompiledProgram.c(Self.reader, "reader", in: launchprof.directory)
    let script = """
      cp '\(reader)' base; printf 'not this, 4000 bytes: %4000s' x > input
      { dd bs=1 count=10 of=/dev/null 2>/dev/null; '\(Launchprof.path)' \(command); } < input
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 600)
    let text = try String(decoding: contents(launchprof.directory.appending("counts")), as: UTF8.self)
    let counts = text.split(separator: "\n")
    #expect(counts.count >= 4 && Set(counts) == ["4012"], "\(counts) \(run.errorText)")
  }

  private static let reader = """
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char bytes[4096];
      long total = 0, count;
      while ((count = read(0, bytes, sizeof bytes)) > 0) total += count;
      dprintf(open("counts", O_WRONLY | O_CREAT | O_APPEND, 0600), "%ld\\n", total);
      return 0;
    }
    """
}
