// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits until `holds` is true, checking every millisecond.
///
/// - Parameters:
///   - what: completes "waited in vain until …".
///   - seconds: enough for any machine. Only a failing test waits this long.
/// - Throws: `ToolFailure` after `seconds`, and what `holds` throws.
public func waitUntil(_ what: String, seconds: Double = 180, _ holds: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !holds() {
    guard ContinuousClock.now < deadline else { throw ToolFailure("waited \(seconds) s in vain until \(what)") }
    usleep(1000)
  }
}
