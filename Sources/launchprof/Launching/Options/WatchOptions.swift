// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// What of Swift's runtime `bench` and `gate` compare besides times.
struct WatchOptions: ParsableArguments {
  enum Detail: String, ExpressibleByArgument, CaseIterable { case globals, conformances }

  @Option(
    help: """
      Also compare what Swift did for the first time, in one more launch of each side. May be repeated.
      globals: the program's lazy globals.
      conformances: first look-ups of conformances, and of types by name.
      """)
  var detail: [Detail] = []

  var details: Set<RuntimeDetail> { Set(detail.compactMap { RuntimeDetail(rawValue: $0.rawValue) }) }
}
