// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The member `lazyGlobals` of a launch, if they were watched; times relative to its start.
  mutating func write(_ table: LazyGlobalTable, start: Int64) {
    watched("lazyGlobals", table.means, table.cost) { json in
      json.objects("globals", table.globals) { $0.write($1, start: start) }
    }
  }

  private mutating func write(_ global: LazyGlobal, start: Int64) {
    values([
      "name": global.name, "module": global.module, "image": global.image, "owner": global.owner.rawValue,
    ])
    place(global.thread, global.isOnMainThread, start: global.start - start, duration: global.duration)
    value("self", global.selfTime)
    if global.isUnfinished { value("unfinished", true) }
    texts("askers", global.askers)
    objects("waiters", global.waiters) { json, waiter in
      json.place(waiter.thread, waiter.isOnMainThread, start: waiter.start - start, duration: waiter.duration)
    }
  }

  /// A member for calls that were watched, and what watching cost; none if they were not watched.
  mutating func watched(_ key: String, _ means: LazyGlobalTable.Means?, _ cost: Int64, _ body: (inout Self) -> Void) {
    object(key, means) { json, means in
      json.values(["means": means.name, "callCost": means.callCost, "cost": cost])
      body(&json)
    }
  }

  /// The thread of a call, and its times.
  mutating func place(_ thread: String, _ isOnMainThread: Bool, start: Int64, duration: Int64) {
    values(["thread": thread, "mainThread": isOnMainThread, "start": start, "duration": duration])
  }

  /// The member `lookups` of a launch, if they were watched; times relative to its start.
  mutating func write(_ table: LookupTable, start: Int64) {
    watched("lookups", table.means, table.cost) { json in
      for (key, kind) in [("conformances", Lookup.Kind.conformance), ("typeNames", .typeName)] {
        json.object(key) { json in
          let calls = table.calls[kind]
          json.values([
            "calls": calls?.count ?? 0, "first": table.lookups(of: kind).count, "repeatTime": calls?.repeatTime ?? 0,
          ])
        }
      }
      json.objects("first", table.lookups) { $0.write($1, start: start) }
    }
  }

  private mutating func write(_ lookup: Lookup, start: Int64) {
    values([
      "kind": lookup.kind.rawValue, "type": lookup.type, "protocol": lookup.protocolName,
      "cause": lookup.cause.rawValue,
    ])
    place(lookup.thread, lookup.isOnMainThread, start: lookup.start - start, duration: lookup.duration)
    values(["self": lookup.selfTime, "repeats": lookup.repeats, "asker": lookup.asker])
  }

  /// The member `runtimeCalls`: how often Swift's runtime was called, by kind.
  mutating func write(_ calls: [Observation.RuntimeCalls]) {
    guard !calls.isEmpty else { return }
    object("runtimeCalls") { json in
      for call in calls { json.value(call.kind.rawValue, call.count) }
    }
  }
}
