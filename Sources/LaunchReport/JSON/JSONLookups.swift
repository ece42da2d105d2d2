// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
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
