// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

extension Findings {
  /// The relocations of a library raise a finding above this share of the launch, and above this time in ns.
  static let relocationShare = 0.1
  static let relocationLeast: Int64 = 1_000_000

  /// Libraries whose relocations take much of the launch.
  func relocations() -> [Finding] {
    let table = timeline.libraries
    guard table.hasRelocations, timeline.total > 0 else { return [] }
    let allowed = threshold(Self.relocationShare, least: Self.relocationLeast)
    lazy var resolvers = ResolverSamples(timeline.trace)
    return table.libraries.compactMap { library in
      // The time during which the thread waited for a processor or for the disk is not a cost of symbols.
      let rows = library.relocations.filter { timeline.spans.flags[$0].contains(.mainThread) }
      let waited = rows.reduce(into: Int64(0)) { sum, row in
        let part = timeline.part(row)
        sum += timeline.states.totals(from: part.lowerBound, to: part.upperBound).waited
      }
      guard let time = library.relocation.map({ $0 - waited }), time > allowed else { return nil }
      let resolver = timeline.mainThread.flatMap {
        resolvers.most(of: $0.rawValue, in: Time.union(rows.map(timeline.part)))
      }
      let step = resolver.map(Self.advice) ?? relocationAdvice(for: library)
      return Finding(
        id: FindingName.relocationHeavyLibrary, expected: allowed, actual: time, subject: library.name,
        start: rows.first.map { timeline.part($0).lowerBound } ?? timeline.start,
        evidence: [Evidence(.library, library.path, time: time)]
          + (resolver.map { [Evidence(.stack, $0.name, time: Int64($0.share * Double(time)))] } ?? []),
        advice: "Relocating \(library.name) takes \(Self.milliseconds(time)) of the launch's "
          + "\(Self.milliseconds(timeline.total)) (\(percent(time)) %)\(Self.besides(waited)). \(step)")
    }
  }

  private func relocationAdvice(for library: LibraryCost) -> String {
    if library.path == timeline.executable || library.name == timeline.program {
      return "Use less static data that contains addresses, or link it with -no-pie."
    }
    if Self.isOfFoundation(library.name) {
      return
        "Import FoundationEssentials instead of Foundation: it needs neither ICU nor the rest. Or link it statically."
    }
    return library.isOpened
      ? "Postpone the code that opens it, or avoid it."
      : "Do not link it, or open it when it is first needed. If it is yours, hide symbols (-fvisibility=hidden)."
  }

  /// Fewer symbols or addresses would not help.
  private static func advice(_ resolver: ResolverSamples.Resolver) -> String {
    "Most of it is \(resolver.name) in \(fileName(resolver.image)): the loader calls it to choose an implementation of a "
      + "function (IFUNC). Make it faster."
  }

  /// What a program that uses only FoundationEssentials does not load.
  static func isOfFoundation(_ name: String) -> Bool {
    ["libFoundation.so", "lib_FoundationICU.so", "libFoundationInternationalization.so"].contains { name.hasPrefix($0) }
  }

  /// The table of libraries has the time with waits.
  private static func besides(_ waited: Int64) -> String {
    waited < 50_000 ? "" : ", without \(milliseconds(waited)) of waits"
  }

  /// `3.2 ms`
  private static func milliseconds(_ time: Int64) -> String {
    DecimalText.text((time + 50_000) / 100_000, decimals: 1) + " ms"
  }
}
