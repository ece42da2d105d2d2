// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The flame tree of a launch as it is compared: by path, so that trees of several launches can be matched.
extension Measurement {
  /// Initialisers of the program's file bear its name.
  static func flame(_ flame: [[String]: Int64], calling own: String, as name: String) -> [[String]: Int64] {
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

  /// Whether it has one name for the relocations of all libraries, as in an older history (D379).
  var hasUnnamedRelocations: Bool {
    flame.keys.contains { path in
      path.last == LS_EVENT_RELOCATE && [PhaseName.load, PhaseName.relocate].contains(path.dropLast().last)
    }
  }

  var withUnnamedRelocations: Measurement {
    var all = self
    let flame = flame.map { path, time in
      (path.map { $0.hasPrefix(LS_EVENT_RELOCATE + " ") ? LS_EVENT_RELOCATE : $0 }, time)
    }
    all.flame = Dictionary(flame) { $0 + $1 }
    return all
  }

  static let sampledMark: Character = "~"

  private static func isSampled(_ path: [String]) -> Bool { path.last?.first == sampledMark }

  /// Whether its tree has functions that samples saw.
  var hasFunctions: Bool { flame.keys.contains(where: Self.isSampled) }

  var withoutFunctions: Measurement {
    var rest = self
    rest.flame = flame.filter { !Self.isSampled($0.key) }
    return rest
  }

  /// Whether all launches know their waits, and by the same means: by others, the same wait has another name.
  static func haveSameWaits(_ base: [Measurement], _ head: [Measurement]) -> Bool {
    let all = base + head
    return all.allSatisfy { $0.waits != nil } && Set(all.map(\.waitStates)).count < 2
  }

  /// With the main thread's waits as paths of the flame tree.
  var withWaits: Measurement {
    var all = self
    all.flame.merge(waits ?? [:]) { $0 + $1 }
    return all
  }
}
