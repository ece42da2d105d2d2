// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Expected output in files under Tests/Fixtures. `scripts/bless` (LAUNCHPROF_BLESS=1) rewrites them and fails the
/// run, so that a person looks at every change.
package enum Golden {
  /// nil if `actual` equals the fixture, otherwise what differs.
  package static func difference(_ actual: String, _ fixture: String) throws -> String? {
    let path = PackageRoot.fixture(fixture)
    let expected = (try? contents(path)).map { String(decoding: $0, as: UTF8.self) }
    if Tools.environment("LAUNCHPROF_BLESS") == "1", expected != actual {
      try write(actual, to: path)
      return "blessed \(fixture): look at it, then run the tests again"
    }
    guard let expected else { return "\(fixture) is missing: run scripts/bless" }
    if actual == expected { return nil }
    let (place, line) = firstDifference(actual, expected)
    return "\(fixture) differs in line \(place):\n\(line)\nAll of it:\n\(actual)\nscripts/bless takes it over"
  }

  private static func firstDifference(_ actual: String, _ expected: String) -> (Int, String) {
    let lines = (
      actual.split(separator: "\n", omittingEmptySubsequences: false),
      expected.split(separator: "\n", omittingEmptySubsequences: false)
    )
    var place = 0
    while place < min(lines.0.count, lines.1.count), lines.0[place] == lines.1[place] { place += 1 }
    func line(_ lines: [Substring]) -> Substring { place < lines.count ? lines[place] : "(no such line)" }
    return (place + 1, "expected \(line(lines.1))\nactual   \(line(lines.0))")
  }

  private static func write(_ text: String, to path: String) throws {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for depth in 2...folder.count { mkdir(folder.prefix(depth).joined(separator: "/"), 0o777) }
    guard let stream = fopen(path, "we") else { throw ToolFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(stream) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw ToolFailure("\(path) can't be written") }
  }
}
