// SPDX-License-Identifier: Apache-2.0

import LaunchShipping
import TestSupport
import Testing

struct LineFileTests {
  @Test(arguments: ["", ".gz", ".zst"])
  func linesAreReadByOtherTools(ending: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("launches.jsonl" + ending)
    let file = LineFile(path: path)
    try file.replace(with: ["left"])
    try file.replace(with: ["one", "two"])
    try file.append(["three"])
    try file.append([])
    let tool = ["": "cat", ".gz": "zcat", ".zst": "zstdcat"][ending] ?? ""
    let run = try TestProcess.run("/usr/bin/env", [tool, path])
    #expect(run.text == "one\ntwo\nthree\n")
  }

  @Test func aFileThatCannotBeWrittenIsNamed() {
    let error = #expect(throws: ShippingError.self) { try LineFile(path: "/nowhere/at/all").append(["line"]) }
    #expect(error?.description == "/nowhere/at/all: cannot be written: No such file or directory")
  }
}
