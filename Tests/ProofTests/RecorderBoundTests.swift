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

  private static let manyNames = """
    #include <CLaunchRecorder.h>
    #include <stdio.h>
    static char names[16001][16];
    int main(int count, char **texts) {
      lr_options options = {.path = texts[count - 1]};
      if (lr_start(&options) != LR_STARTED) return 1;
      const lr_category *first = lr_category_make("org", 3, "first", 5);
      for (int i = 0; i <= 16000; i++) {
        snprintf(names[i], sizeof names[i], "name-%05d", i);
        if (i < 16000) lr_event(first, names[i]);
      }
      for (int i = 0; i < 500; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "c-%d", i);
        const lr_category *category = lr_category_make("org", 3, text, (size_t)length);
        lr_event(category, names[16000]);
        lr_interval interval = lr_interval_begin(category, names[16000]);
        lr_interval_end(category, names[16000], interval);
      }
      return 0;
    }

    """

  /// In each further category, a name of the thread took an id of its own, until the ids were those of other names.
  @Test func moreNamesThanAThreadMayHaveAreOne() throws {
    let run = try ProofRun()
    let source = try run.directory.write(Self.manyNames, to: "names.c")
    let program = try RecorderProgram.compile(source, to: "names", in: run.directory)
    #expect(try TestProcess.run(program, [run.trace]).succeeded)
    let trace = try TraceReader().read(path: run.trace)
    func names(_ column: [UInt32]) -> [String: Int] {
      column.reduce(into: [:]) { $0[trace.strings[StringID(rawValue: $1)], default: 0] += 1 }
    }
    let (intervals, events) = (names(trace.slices.name), names(trace.instants.name))
    #expect(intervals["(more names than a thread can have)"] == 500)
    #expect(events["(more names than a thread can have)"] == 500)
    #expect(intervals.keys.allSatisfy { !$0.hasPrefix("name-") })
    #expect(events["name-00000"] == 1 && events["name-15999"] == 1)
  }
}
