// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A time-out: seconds, or with a unit.
struct TimeLimit: ExpressibleByArgument {
  let nanoseconds: Int64

  /// Without a decimal point, if there are whole seconds.
  var seconds: String {
    nanoseconds.isMultiple(of: 1_000_000_000)
      ? "\(nanoseconds / 1_000_000_000)" : "\(Double(nanoseconds) / 1e9)"
  }
  var defaultValueDescription: String { seconds }

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  init?(argument: String) {
    guard let time = TimeText.nanoseconds(argument, defaultUnit: "s"), time > 0 else { return nil }
    nanoseconds = time
  }

  /// - Throws: `ValidationError`, which says what a time is.
  init(text: String) throws {
    guard let limit = TimeLimit(argument: text) else {
      throw ValidationError("expected \(TimeText.expectation), or seconds, of more than 0")
    }
    self = limit
  }
}
