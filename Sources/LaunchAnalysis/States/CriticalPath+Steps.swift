// SPDX-License-Identifier: Apache-2.0

extension CriticalPath {
  /// Steps in their order. Each begins where the one before it ends, so only the ends are stored: a launch may have a million.
  package struct Steps: RandomAccessCollection, Sendable {
    struct Work: Sendable, Equatable {
      var track: Int32
      var state: ThreadState
      var link: Wait.Link?
      var depth: UInt16
    }

    private var begin: Int64 = 0
    private var ends: [Int64] = []
    private var works: [Work] = []

    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    package subscript(row: Int) -> Step {
      let work = works[row]
      return Step(
        start: row > 0 ? ends[row - 1] : begin, end: ends[row], track: work.track, state: work.state, link: work.link,
        depth: work.depth)
    }

    /// Room that is not used costs address space only; an array that grows is there twice.
    mutating func reserve(_ count: Int) {
      ends.reserveCapacity(count)
      works.reserveCapacity(count)
    }

    /// Adds a step that begins at the end of the last one. It is joined with that one if they are alike. One that ends earlier
    /// would make a range that ends before it begins.
    mutating func append(_ step: Step) {
      guard step.start < step.end, ends.last ?? .min < step.end else { return }
      let work = Work(track: step.track, state: step.state, link: step.link, depth: step.depth)
      if works.last == work {
        ends[ends.count - 1] = step.end
        return
      }
      if ends.isEmpty { begin = step.start }
      ends.append(step.end)
      works.append(work)
    }
  }
}
