// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The names of a tree's nodes by library, module or symbol; nil for a track or a phase.
struct CodeNames {
  let names: [String?]

  subscript(node: FlameTree.Node) -> String? { names[node] }

  /// - Parameter frames: for a tree of samples, the frame of each node.
  init(_ timeline: LaunchTimeline, tree: FlameTree, frames: [Int32]?, aspect: Breakdown.Aspect) {
    let images = frames == nil ? Self.imagesOfSlices(timeline) : [:]
    var known: [UInt64: String] = [:]
    names = (0..<tree.count).map { node in
      guard tree.parent[node] >= 0, !tree.flags[node].contains(.derivedPhase) else { return nil }
      let name = tree.name(of: node)
      if aspect == .symbol { return name }
      let imageID = frames.map { timeline.trace.stacks[Int($0[node])].image }
      let key = UInt64(tree.name[node]) << 32 | UInt64(imageID ?? .max)
      if imageID != nil, let text = known[key] { return text }
      let image =
        imageID.map { timeline.trace.strings[StringID(rawValue: $0)] } ?? images[tree.name[node]] ?? timeline.executable
      let library = image.split(separator: "/").last.map(String.init) ?? "unknown"
      let isStandard = timeline.trace.standardFunctions.contains(name)
      let module = aspect != .module ? nil : isStandard ? "Swift" : Self.module(of: name)
      let text = module ?? library
      // A tree of spans may have a name for each node.
      if imageID != nil { known[key] = text }
      return text
    }
  }

  /// By name: initialisers and what the loader does are of the library that their slices name.
  private static func imagesOfSlices(_ timeline: LaunchTimeline) -> [UInt32: String] {
    let (slices, strings) = (timeline.trace.slices, timeline.trace.strings)
    let initializer = strings.id(of: CategoryName.initializer)?.rawValue
    let library = strings.id(of: CategoryName.library)?.rawValue
    var images: [UInt32: String] = [:]
    if initializer == nil, library == nil { return images }
    for row in 0..<slices.count where slices.category[row] == initializer || slices.category[row] == library {
      let annotations = timeline.trace.annotations(ofSlice: row)
      images[slices.name[row]] = annotations.string(LS_KEY_IMAGE) ?? annotations.string(LS_KEY_PATH)
    }
    return images
  }

  /// What compilers of C append to a function's name when they make a copy or a part of it.
  private static let copies: Set<Substring> = [
    "cold", "constprop", "part", "isra", "lto_priv", "llvm", "localalias", "clone", "specialized", "unlikely",
  ]

  /// `app` for `static app.Main.run() -> ()` and for `closure #1 in app.load`; nil for code that is not Swift.
  static func module(of name: String) -> String? {
    var rest = name[...]
    // Goes from a closure to its outermost function. `(extension in M):` is not a closure.
    while !rest.hasPrefix("(extension in "), let inner = rest.firstRange(of: " in ") {
      rest = rest[inner.upperBound...]
    }
    for prefix in ["static ", "class ", "@objc "] where rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    if rest.hasPrefix("(extension in "), let end = rest.firstIndex(of: ")") {
      return String(rest[rest.index(rest.startIndex, offsetBy: 14)..<end])
    }
    let first = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    // `libc.so.6+0x1f` is an address without a known name.
    guard !first.isEmpty, rest.dropFirst(first.count).first == ".", !rest.contains("+0x") else { return nil }
    let second = rest.dropFirst(first.count + 1).prefix { $0 != "." }
    // `init_cpu_features.constprop.0` is a copy of a C function.
    return copies.contains(second) || second.allSatisfy(\.isNumber) ? nil : String(first)
  }
}
