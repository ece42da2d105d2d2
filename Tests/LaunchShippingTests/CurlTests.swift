// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

struct CurlTests {
  /// The other side decides how much comes. Here a program in the place of curl does.
  @Test func anAnswerWithoutEndIsRefused() throws {
    let spool = try FilledSpool(1)
    let run = try ship(spool, by: "exec /usr/bin/env -u PATH /usr/bin/yes")
    #expect(run.outcome == .exited(75))
    #expect(run.text.contains("the answer has no end"))
    #expect(spool.left.count == 1)
  }

  /// A program in the place of curl ends as curl does.
  @Test func itMayRunOutOfTime() throws {
    let spool = try FilledSpool(1)
    let run = try ship(spool, by: "exit 28")
    #expect(run.outcome == .exited(75))
    #expect(run.text.contains("no answer within 30 s"), "\(run.text)")
  }

  /// - Parameter curl: what a shell does in the place of curl. Its PATH has only that.
  private func ship(_ spool: FilledSpool, by curl: String) throws -> TestProcess {
    let tools = try TemporaryDirectory()
    try tools.write("#!/bin/sh\n\(curl)\n", to: "curl")
    chmod(tools.appending("curl"), 0o700)
    return try TestProcess.run(
      try BuiltProgram.product("shipping-program"), [spool.path, "otlp=https://127.0.0.1:1", "0"],
      adding: ["PATH": tools.path], timeout: 60)
  }

  /// A signal that ends the command would leave a file with the key.
  @Test func theKeyAndTheRecordsAreInNoFileWithAName() throws {
    let (spool, tools) = (try FilledSpool(1), try TemporaryDirectory())
    mkdir(tools.appending("tmp"), 0o700)
    try tools.write(
      """
      #!/bin/sh
      { cat; echo; echo "files: [$(ls -A "$TMPDIR")]"; gzip -dc </dev/fd/3; } >'\(tools.appending("seen"))'
      printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}'
      """, to: "curl")
    chmod(tools.appending("curl"), 0o700)
    let run = try TestProcess.run(
      try BuiltProgram.product("shipping-program"), [spool.path, "otlp=https://127.0.0.1:1", "0"],
      adding: ["PATH": tools.path + ":/usr/bin:/bin", "TMPDIR": tools.appending("tmp")], timeout: 60)
    #expect(run.outcome == .exited(0), "\(run.text)")
    let seen = String(decoding: try contents(tools.appending("seen")), as: UTF8.self)
    #expect(seen.contains("header = \"Content-Type: application/json\"\n") && seen.contains(spool.ids[0]), "\(seen)")
    #expect(seen.contains("\nfiles: []\n"), "\(seen)")
    #expect(spool.left.isEmpty)
  }

  /// They may be for a person who reads answers, and would change what becomes of one.
  @Test func settingsOfTheUserAreNotRead() throws {
    let (spool, home) = (try FilledSpool(1), try TemporaryDirectory())
    _ = try home.write("proto = \"=http\"\n", to: ".curlrc")
    let run = try TestProcess.run(
      try BuiltProgram.product("shipping-program"), [spool.path, "otlp=https://127.0.0.1:1", "0"],
      adding: ["HOME": home.path, "CURL_HOME": home.path], timeout: 60)
    // Nobody listens there. Status 1 would be that of a forbidden protocol.
    #expect(run.text.contains("curl ended with status 7"), "\(run.text)")
  }

  /// curl takes brackets of an address for a range, unless it is told not to.
  @Test func bracketsOfAnAddressAreSentAsTheyAre() throws {
    let spool = try FilledSpool(1)
    let run = try TestProcess.run(
      try BuiltProgram.product("shipping-program"), [spool.path, "otlp=https://127.0.0.1:1/{a,b}?x=[y", "0"],
      timeout: 60)
    #expect(run.outcome == .exited(75))
    // Nobody listens there. Status 3 would be that of a bad range.
    #expect(run.text.contains("curl ended with status 7"), "\(run.text)")
  }
}
