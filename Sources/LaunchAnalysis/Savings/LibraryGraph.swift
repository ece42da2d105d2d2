// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Which library links which, according to their files.
struct LibraryGraph {
  /// The paths that each path asks for.
  private let needed: [String: [String]]
  /// What the program asks for itself.
  let direct: [String]
  /// All libraries that the program links, directly or indirectly.
  private(set) var all: Set<String> = []

  /// - Parameters:
  ///   - libraries: with the program.
  ///   - program: the path of its file.
  /// - Returns: nil when the trace does not say what the program asks for.
  init?(_ libraries: [LibraryCost], program: String) {
    let files = libraries.filter { !$0.isOpened }
    guard
      let own = files.first(where: { $0.path == program })
        ?? files.first(where: { $0.name == fileName(program) }),
      own.needed != nil
    else { return nil }
    let names = LibraryNames(files.map(\.name))
    needed = Dictionary(
      files.map { ($0.path, ($0.needed ?? []).compactMap { names.first($0).map { files[$0].path } }) },
      uniquingKeysWith: { first, _ in first })
    direct = needed[own.path] ?? []
    all = reached(from: direct)
  }

  func needs(_ path: String) -> [String] { needed[path] ?? [] }

  /// All that these libraries bring, and they themselves.
  func reached(from roots: [String]) -> Set<String> {
    var found: Set<String> = []
    var open = roots
    while let path = open.popLast() {
      if found.insert(path).inserted { open += needs(path) }
    }
    return found
  }

  /// What goes when the program no longer asks for these.
  func brought(by dropped: Set<String>) -> Set<String> {
    all.subtracting(reached(from: direct.filter { !dropped.contains($0) }))
  }
}
