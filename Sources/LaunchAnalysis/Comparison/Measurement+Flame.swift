// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The flame tree of a launch as it is compared: by path, so that trees of several launches can be matched.
extension Measurement {
  /// ns by path.
  typealias Flame = [[String]: Int64]

  /// Initialisers of the program's file bear its name.
  static func flame(_ flame: Flame, calling own: String, as name: String) -> Flame {
    Dictionary(
      flame.map { path, time in
        guard let first = path.firstIndex(of: PhaseName.staticInit) else { return (path, time) }
        return (path[...first] + path[(first + 1)...].map { initializer($0, of: own, as: name) }, time)
      }
    ) { $0 + $1 }
  }

  /// `<function> (<image>)`, `<image> initializer <n>`, or `<image> init`, with another image.
  private static func initializer(_ title: String, of own: String, as name: String) -> String {
    if title.hasSuffix(" (\(own))") { return title.dropLast(own.count + 1) + name + ")" }
    return title.hasPrefix("\(own) init") ? name + title.dropFirst(own.count) : title
  }

  /// The trees of both sides, as far as they can be compared: with the main thread's waits if all launches know them, and without
  /// sampled functions if only one side has samples. If a launch of an older history has only one name for the relocations of
  /// all libraries, all have that one (D379).
  static func flames(_ base: [Measurement], _ head: [Measurement]) -> (base: [Flame], head: [Flame]) {
    func hasFunctions(_ side: [Measurement]) -> Bool { side.contains { $0.flame.keys.contains(where: isSampled) } }
    let (hasWaits, leavesOutFunctions) = (haveSameWaits(base, head), hasFunctions(base) != hasFunctions(head))
    var flames = (base + head).map { launch in
      let flame = leavesOutFunctions ? launch.flame.filter { !isSampled($0.key) } : launch.flame
      return hasWaits ? flame.merging(launch.waits ?? [:]) { $0 + $1 } : flame
    }
    if flames.contains(where: hasUnnamedRelocations) { flames = flames.map(withUnnamedRelocations) }
    return (Array(flames.prefix(base.count)), Array(flames.dropFirst(base.count)))
  }

  private static func hasUnnamedRelocations(_ flame: Flame) -> Bool {
    flame.keys.contains { path in
      path.last == LS_EVENT_RELOCATE && [PhaseName.load, PhaseName.relocate].contains(path.dropLast().last)
    }
  }

  private static func withUnnamedRelocations(_ flame: Flame) -> Flame {
    let pairs = flame.map { path, time in
      (path.map { $0.hasPrefix(LS_EVENT_RELOCATE + " ") ? LS_EVENT_RELOCATE : $0 }, time)
    }
    return Dictionary(pairs) { $0 + $1 }
  }

  static let sampledMark: Character = "~"

  private static func isSampled(_ path: [String]) -> Bool { path.last?.first == sampledMark }

  /// Whether all launches know their waits, and by the same means: by others, the same wait has another name.
  static func haveSameWaits(_ base: [Measurement], _ head: [Measurement]) -> Bool {
    let all = base + head
    return all.allSatisfy { $0.waits != nil } && Set(all.map(\.waitStates)).count < 2
  }
}
