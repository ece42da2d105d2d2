// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// What a program may make without end is bounded, and the trace says what is missing.
struct RecorderBoundTests {
  private static let source = """
    #include <stdio.h>
    #include "CLaunchRecorder.h"

    int main(void) {
      const lr_category *known = lr_category_make("org", 3, "c0", 2), *last = NULL;
      char name[16];
      int changes = 0;
      for (int i = 0; i < 5000; i++) {
        int length = snprintf(name, sizeof name, "c%d", i);
        const lr_category *made = lr_category_make("org", 3, name, (size_t)length);
        changes += made != last;
        last = made;
      }
      for (int i = 0; i < 70000; i++) lr_async_begin(known, "open", 0, NULL, 0);
      printf("%d %d\\n", changes, lr_category_make("org", 3, "c0", 2) == known);
    }

    """

  /// Each category took memory for ever, and the time to search all of them. Async intervals beyond 65,536 open ones were lost
  /// without a word.
  @Test func categoriesAndOpenIntervalsAreBounded() throws {
    let run = try ProofRun()
    let source = try run.directory.write(Self.source, to: "bounds.c")
    let program = try RecorderProgram.compile(source, to: "bounds", in: run.directory)
    let made = try TestProcess.run(program, [], adding: run.environment(limit: 64 << 20))
    // Those with a name, and once the one without.
    #expect(made.succeeded && made.text == "4097 1\n", "\(made.text)\(made.errorText)")
    let trace = try TraceReader().read(path: run.trace)
    guard case .double(let dropped)? = trace.annotations(category: "launchprof.recorder")["events_dropped"] else {
      Issue.record("events_dropped is missing")
      return
    }
    #expect(dropped == 70_000 - 65_536)
  }
}
