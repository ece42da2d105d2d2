// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchTrace

/// Calls of watched functions, put together from their beginnings and returns.
struct WatchedCalls {
  struct Call: Equatable {
    var function: RuntimeFunction
    var processID: Int32
    var threadID: Int32
    var start: Int64
    /// nil when it never returned.
    var end: Int64?
    /// The latest possible end: the time at which a function around it returned.
    var isOverBy: Int64?
    /// The subject of the call: `RuntimeFunction.subject`.
    var first: UInt64
    var second: UInt64
    /// The callers, innermost first.
    var callers: [UInt64]
    /// Watched calls that it made, at any depth.
    var callsInside = 0
  }

  /// In the order of their starts.
  private(set) var all: [Call] = []
  /// The time between the records of a call and its return, for a call that does nothing, ns.
  private(set) var insideCost: Int64 = 0

  private struct Thread: Hashable {
    var process: Int32
    var thread: Int32
  }

  private struct Open {
    /// The function and the file that it is in.
    var place: UInt64
    var row: Int
    /// How many calls the thread had made, this one included.
    var madeBefore: Int
  }

  /// - Parameters:
  ///   - passages: in the order of time.
  ///   - isKept: by process.
  init(_ passages: [PerfEvents.Passage], isKept: (Int32) -> Bool) {
    var open: [Thread: [Open]] = [:]
    var made: [Thread: Int] = [:]
    var costs: [Int64] = []
    var calibrationStart: Int64?
    for passage in passages {
      let place = passage.place
      guard let function = RuntimeFunction(place: passage.function) else {
        guard place.processID == getpid() else { continue }
        if let start = calibrationStart, passage.isReturn { costs.append(place.time - start) }
        calibrationStart = passage.isReturn ? nil : place.time
        continue
      }
      guard isKept(place.processID) else { continue }
      let thread = Thread(process: place.processID, thread: place.threadID)
      if passage.isReturn {
        // Where records are lost, a call may lack its return.
        guard let last = open[thread]?.lastIndex(where: { $0.place == passage.function }), let stack = open[thread]
        else { continue }
        all[stack[last].row].end = place.time
        for left in stack[last...] {
          all[left.row].isOverBy = place.time
          all[left.row].callsInside = made[thread, default: 0] - left.madeBefore
        }
        open[thread]?.removeSubrange(last...)
      } else {
        let subject = function.subject(passage.arguments)
        all.append(
          Call(
            function: function, processID: place.processID, threadID: place.threadID, start: place.time,
            first: subject.first, second: subject.second, callers: Array(passage.addresses.dropFirst())))
        made[thread, default: 0] += 1
        open[thread, default: []].append(
          Open(place: passage.function, row: all.count - 1, madeBefore: made[thread, default: 0]))
      }
    }
    for (thread, stack) in open {
      for left in stack { all[left.row].callsInside = made[thread, default: 0] - left.madeBefore }
    }
    insideCost = costs.median
  }
}

extension ThreadSlice {
  init(
    _ call: WatchedCalls.Call, name: String, category: String, _ annotations: [(key: String, value: AnnotationValue)]
  ) {
    self.init(
      name: name, category: category, processID: call.processID, threadID: call.threadID, start: call.start,
      end: call.end, annotations: annotations)
  }
}
