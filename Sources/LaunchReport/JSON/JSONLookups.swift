// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The member `lookups` of a launch, if they were watched; times relative to its start.
  mutating func write(_ table: LookupTable, start: Int64) {
    watched("lookups", table.means, table.cost) { json in
      for (key, kind) in [("conformances", Lookup.Kind.conformance), ("typeNames", .typeName)] {
        json.object(key) { json in
          json.value("calls", table.calls[kind]?.count ?? 0)
          json.value("first", table.lookups(of: kind).count)
          json.value("repeatTime", table.calls[kind]?.repeatTime ?? 0)
        }
      }
      json.objects("first", table.lookups) { $0.write($1, start: start) }
    }
  }

  private mutating func write(_ lookup: Lookup, start: Int64) {
    value("kind", lookup.kind.rawValue)
    value("type", lookup.type)
    optional("protocol", lookup.protocolName)
    value("cause", lookup.cause.rawValue)
    place(lookup.thread, lookup.isOnMainThread, start: lookup.start - start, duration: lookup.duration)
    value("self", lookup.selfTime)
    value("repeats", lookup.repeats)
    value("asker", lookup.asker)
  }

  /// The member `runtimeCalls`: how often Swift's runtime was called, by kind.
  mutating func write(_ calls: [Observation.RuntimeCalls]) {
    guard !calls.isEmpty else { return }
    object("runtimeCalls") { json in
      for call in calls { json.value(call.kind.rawValue, call.count) }
    }
  }
}
