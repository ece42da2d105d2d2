// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

struct CurlTests {
  /// The other side decides how much comes. Here a program in the place of curl does.
  @Test func anAnswerWithoutEndIsRefused() throws {
    let (spool, tools) = (try FilledSpool(1), try TemporaryDirectory())
    try tools.write("#!/bin/sh\nexec /usr/bin/env -u PATH /usr/bin/yes\n", to: "curl")
    chmod(tools.appending("curl"), 0o700)
    let run = try TestProcess.run(
      try BuiltProgram.product("shipping-program"), [spool.path, "otlp=https://127.0.0.1:1", "0"],
      adding: ["PATH": tools.path], timeout: 60)
    #expect(run.outcome == .exited(75))
    #expect(run.text.contains("the answer has no end"))
    #expect(spool.left.count == 1)
  }
}
