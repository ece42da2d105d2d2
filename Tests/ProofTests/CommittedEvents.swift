// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// Expects in the trace every event that the program had committed, and no event that it cannot have written.
///
/// A round is `outer` around `inner` and `tick`. Every eighth has a `note`, every sixteenth an `async` interval. The
/// trace may also contain part of the round that was unfinished when the program ended.
func expectCommitted(
  _ committed: [ProofRun.Committed], in trace: Trace, sourceLocation: SourceLocation = #_sourceLocation
) {
  let events = ThreadEvents(trace)
  for (thread, rounds) in committed.map({ ($0.thread, $0.rounds) }) {
    let notes = (rounds + 7) / 8
    let asyncs = (rounds + 15) / 16
    let found = [
      (events.slices("outer", on: thread), rounds), (events.slices("inner", on: thread), rounds),
      (events.instants("tick", on: thread), rounds), (events.instants("note", on: thread), notes),
      (events.slices("async", on: thread), asyncs),
    ]
    #expect(
      found.allSatisfy { count, least in (least...(least + 1)).contains(count) },
      "thread \(thread): (found, committed) of outer, inner, tick, note, async: \(found)",
      sourceLocation: sourceLocation)
  }
}
