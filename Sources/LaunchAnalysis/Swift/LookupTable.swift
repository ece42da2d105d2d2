// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSymbols
internal import LaunchTrace

/// What Swift's runtime looked up during a launch: conformances, and types by their mangled names.
package struct LookupTable: Sendable, Equatable {
  /// All look-ups of a kind.
  package struct Calls: Sendable, Equatable {
    package var count: Int
    /// The time of repeated look-ups, ns, without what the probes cost.
    package var repeatTime: Int64
  }

  /// How they were seen; nil if they were not watched.
  package var means: LazyGlobalTable.Means?
  /// The first of each, in the order of their starts.
  package internal(set) var lookups: [Lookup] = []
  package internal(set) var calls: [Lookup.Kind: Calls] = [:]
  /// What the probes cost the launch, ns; these times leave it out, the launch's time includes it.
  package internal(set) var cost: Int64 = 0

  package func lookups(of kind: Lookup.Kind) -> [Lookup] { lookups.filter { $0.kind == kind } }

  init(_ timeline: LaunchTimeline) {
    means = timeline.observation?.lookups
    guard let means else { return }
    let watched = WatchedTimes(timeline, category: CategoryName.lookup, means)
    lookups = zip(watched.rows, watched.times).map { Lookup(timeline, row: $0, $1) }
    for (kind, total) in timeline.observation?.lookupCalls ?? [:] {
      // It is not known which of them were after the launch's end. They are as short as calls can be.
      let repeats = Int64(max(0, total.count - lookups(of: kind).count))
      calls[kind] = Calls(count: total.count, repeatTime: max(0, total.repeatTime - repeats * means.insideCost))
      cost += Int64(total.count) * means.callCost
    }
  }
}

extension LaunchTimeline {
  /// What was looked up until the launch was over. Collected again by each call.
  package var lookups: LookupTable { LookupTable(self) }
}

extension Lookup {
  fileprivate init(_ timeline: LaunchTimeline, row: SliceIndex, _ times: WatchedTimes.Times) {
    let slices = timeline.trace.slices
    let facts = timeline.trace.annotations(ofSlice: row)
    let callers = facts.strings(LS_KEY_CALLERS).map(FunctionName.init)
    let asker = callers.firstIndex { CodeNames.isOutsideOfLibraries($0) }
    let track = slices.track[row]
    kind = facts.string(LS_KEY_KIND).flatMap(Kind.init) ?? .conformance
    type = FunctionName(facts.string(LS_KEY_TYPE) ?? "").text
    protocolName = facts.string(LS_KEY_PROTOCOL).map { FunctionName($0).text }
    cause = Cause(callers.prefix(asker ?? callers.count).map(\.text))
    repeats = max(0, facts.count(LS_KEY_REPEATS))
    thread = timeline.trace.title(ofTrack: track, isMain: track == timeline.mainThread?.rawValue)
    isOnMainThread = timeline.spans.flags[row].contains(.mainThread)
    start = timeline.part(row).lowerBound
    (duration, selfTime) = (times.inclusive, times.own)
    self.asker = asker.map { callers[$0].text } ?? ""
  }
}

extension Lookup.Cause {
  /// - Parameter callers: innermost first, up to the code that asked.
  init(_ callers: [String]) {
    self =
      Self.marks.first { mark in callers.contains { name in mark.texts.contains { name.contains($0) } } }?.cause
      ?? .other
  }

  /// Describing a value also casts it, and a cast also needs metadata. The first cause that fits counts.
  private static let marks: [(cause: Lookup.Cause, texts: [String])] = [
    (.describing, ["_print_unlocked", "String.init<A>(describing:", "_debugPrint_unlocked", "_adHocPrint_unlocked"]),
    (.reflection, ["Mirror.", "swift_reflectionMirror"]),
    (.cast, ["swift_dynamicCast", "tryCast"]),
    (
      .generics,
      [
        "swift_getGenericMetadata", "swift_getWitnessTable", "checkGenericRequirements", "swift_getTypeByMangled",
        "swift_instantiate", "_swift_getGenericMetadata", "swift_getAssociatedType",
      ]
    ),
  ]
}

extension CodeNames {
  /// Code that has a module other than those of Swift's libraries; `main`, too.
  static func isOutsideOfLibraries(_ function: FunctionName) -> Bool {
    if function.isOfStandardLibrary || function.isThunk { return false }
    guard let module = module(of: function.text) else { return function.text == "main" }
    return !LanguageCode.modules.contains(module)
  }
}
