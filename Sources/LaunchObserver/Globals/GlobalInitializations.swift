import Glibc

/// What lazy globals a process initialised, and who waited for them: calls and returns of `once_slow`, put together.
struct GlobalInitializations {
  struct Initialization: Equatable {
    var processID: Int32
    var threadID: Int32
    var start: Int64
    /// nil when it never returned.
    var end: Int64?
    /// Where the variable's mark is that says whether it is initialised.
    var token: UInt64
    /// What initialises it.
    var function: UInt64
    /// Whom it returns to, innermost first.
    var callers: [UInt64]
    /// Another thread was at it already: this one only waited.
    var isWait = false
  }

  /// In the order of their starts.
  private(set) var all: [Initialization] = []
  /// ns from a probe's record of a call to that of its return, of a call that does nothing.
  private(set) var insideCost: Int64 = 0

  private struct Thread: Hashable {
    var process: Int32
    var thread: Int32
  }

  private struct Token: Hashable {
    var process: Int32
    var address: UInt64
  }

  private struct Open {
    var copy: UInt64
    var row: Int
  }

  /// - Parameters:
  ///   - passages: in the order of time.
  ///   - calibration: whose records say what a probe costs.
  ///   - isKept: by process.
  init(_ passages: [PerfEvents.Passage], calibration: UInt64?, isKept: (Int32) -> Bool) {
    var open: [Thread: [Open]] = [:]
    var owners: [Token: Int] = [:]
    var costs: [Int64] = []
    var calibrationStart: Int64?
    for passage in passages {
      let place = passage.place
      if passage.function == calibration {
        guard place.processID == getpid() else { continue }
        if let start = calibrationStart, passage.isReturn { costs.append(place.time - start) }
        calibrationStart = passage.isReturn ? nil : place.time
        continue
      }
      guard isKept(place.processID) else { continue }
      let thread = Thread(process: place.processID, thread: place.threadID)
      if passage.isReturn {
        // Where records are lost, a call may lack its return.
        guard let last = open[thread]?.lastIndex(where: { $0.copy == passage.function }), let stack = open[thread]
        else { continue }
        all[stack[last].row].end = place.time
        for left in stack[last...] { release(left.row, &owners) }
        open[thread]?.removeSubrange(last...)
      } else {
        let token = Token(process: place.processID, address: passage.arguments.first)
        let owner = owners[token].map { all[$0] }
        all.append(
          Initialization(
            processID: place.processID, threadID: place.threadID, start: place.time, end: nil, token: token.address,
            function: passage.arguments.second, callers: Array(passage.addresses.dropFirst()),
            isWait: owner.map { $0.threadID != place.threadID } ?? false))
        if owner == nil { owners[token] = all.count - 1 }
        open[thread, default: []].append(Open(copy: passage.function, row: all.count - 1))
      }
    }
    insideCost = costs.median
  }

  private func release(_ row: Int, _ owners: inout [Token: Int]) {
    let token = Token(process: all[row].processID, address: all[row].token)
    if owners[token] == row { owners[token] = nil }
  }
}
