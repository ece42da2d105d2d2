// SPDX-License-Identifier: Apache-2.0

/// What lazy globals a launch initialised, and who waited for them.
struct GlobalInitializations {
  struct Initialization: Equatable {
    var call: WatchedCalls.Call
    /// Another thread was at it already: this one only waited.
    var isWait = false

    /// Where the variable's mark is that says whether it is initialised.
    var token: UInt64 { call.first }
    /// What initialises it.
    var function: UInt64 { call.second }
  }

  /// In the order of their starts.
  private(set) var all: [Initialization] = []

  private struct Token: Hashable {
    var process: Int32
    var address: UInt64
  }

  init(_ calls: WatchedCalls) {
    var owners: [Token: WatchedCalls.Call] = [:]
    for call in calls.all where call.function == .once {
      let token = Token(process: call.processID, address: call.first)
      if let owner = owners[token], owner.isOverBy.map({ call.start < $0 }) ?? true {
        all.append(Initialization(call: call, isWait: owner.threadID != call.threadID))
      } else {
        owners[token] = call
        all.append(Initialization(call: call))
      }
    }
  }
}
