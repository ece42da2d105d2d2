// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

struct LongNameTests {
  /// The limit is in the middle of the last `é`.
  @Test func longNamesAreCutBetweenCharacters() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      #include <string.h>
      static char text[1026];
      static const char *filled(char byte, size_t size) {
        memset(text, byte, size);
        memcpy(text, "\\xc3\\xa9", 2);
        memcpy(text + size - 1, "\\xc3\\xa9", 2);
        return text;
      }
      int main(int count, char **texts) {
        lr_options options = {.path = texts[count - 1]};
        if (lr_start(&options) != LR_STARTED) return 1;
        lr_metadata(filled('k', 256), 257, "value", 5);
        lr_counter(filled('n', 1024), 1025, LR_UNIT_COUNT, 1);
        lr_event(lr_category_make("", 0, filled('c', 1024), 1025), "event");
        lr_event(lr_category_make(filled('s', 1024), 1025, "", 0), "event");
        return 0;
      }
      """, to: "main.c")
    let path = directory.appending("launch.pftrace")
    #expect(
      try TestProcess.run(RecorderProgram.compile(directory.appending("main.c"), in: directory), [path]).succeeded)
    let trace = try TraceReader().read(path: path)
    for (letter, size) in [("k", 256), ("n", 1024), ("c", 1024), ("s", 1024)] {
      let name = "é" + String(repeating: letter, count: size - 3)
      #expect(trace.strings.id(of: name) != nil, "\(letter)")
    }
  }
}
