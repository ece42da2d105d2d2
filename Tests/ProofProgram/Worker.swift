// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchProfiler

private let signposter = LaunchSignposter(subsystem: "", category: "proof")

/// One thread's work: rounds of events in bursts, with every kind of record.
struct Worker {
  let ledger: Ledger
  let row: Int
  /// The longest rest between two bursts, µs. Without rests the file would be full in a moment.
  let longestRest: UInt32
  /// A round is `outer` around `inner` and `tick`. Every eighth round has a `note` with a message, every sixteenth an
  /// `async` interval. A round counts when all of it is committed.
  func work(rounds: Int) {
    ledger.begin(row: row)
    var round = 0
    while rounds == 0 || round < rounds {
      signposter.withIntervalSignpost("outer") {
        signposter.withIntervalSignpost("inner") {}
        signposter.emitEvent("tick")
      }
      if round % 8 == 0 { signposter.emitEvent("note", "round \(round) of thread \(row)") }
      if round % 16 == 0 {
        let state = signposter.beginInterval("async")
        signposter.endInterval("async", state)
      }
      ledger.roundDone(row: row)
      round += 1
      if round % 16 == 0 && longestRest > 0 { usleep(UInt32.random(in: 0..<longestRest)) }
    }
  }
}
