// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A time-out: seconds, or with a unit.
struct TimeLimit: ExpressibleByArgument {
  let nanoseconds: Int64

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  init?(argument: String) {
    guard let time = TimeText.nanoseconds(argument, defaultUnit: "s"), time > 0 else { return nil }
    nanoseconds = time
  }
}
