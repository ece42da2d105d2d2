// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchTrace

/// The names of code by library, module or function.
enum CodeNames {
  /// Of each node of a tree of samples; nil for a track, and for code of several files.
  static func names(of samples: SampleTree, by aspect: Breakdown.Aspect, in trace: Trace) -> [String?] {
    let tree = samples.tree
    // By function and file. Functions of one library share its name, which may be long.
    var (known, texts): ([UInt64: String], Set<String>) = ([:], [])
    return (0..<tree.count).map { node in
      guard samples.frames[node] >= 0, !samples.mixed.contains(Int32(truncatingIfNeeded: node)) else { return nil }
      let frame = trace.stacks[Int(samples.frames[node])]
      let key = UInt64(tree.name[node]) << 32 | UInt64(frame.origin)
      if let text = known[key] { return text }
      let text = texts.insert(name(by: aspect, of: tree.name(of: node), frame, in: trace)).memberAfterInsert
      known[key] = text
      return text
    }
  }

  /// The library of nodes of a tree of spans; nil for a track, a phase, and what several libraries have.
  static func libraries(of nodes: [FlameTree.Node], in tree: FlameTree, _ timeline: LaunchTimeline) -> [String?] {
    let images = imagesOfSlices(timeline)
    let own = Trace.fileName(ofImage: timeline.executable)
    return nodes.map { node in
      guard tree.parent[node] >= 0, !tree.flags[node].contains(.derivedPhase) else { return nil }
      return images[tree.name[node]].map { $0.map(Trace.fileName(ofImage:)) } ?? own
    }
  }

  /// By name: the only image that slices with this name are of, nil if there are several.
  private static func imagesOfSlices(_ timeline: LaunchTimeline) -> [UInt32: String?] {
    let slices = SliceImages(timeline)
    var images: [UInt32: String?] = [:]
    for row in 0..<timeline.spans.count {
      guard slices.isKnown(row) else { continue }
      let (name, image) = (timeline.trace.slices.name[row], slices[row])
      images.updateValue(images[name, default: image] == image ? image : nil, forKey: name)
    }
    return images
  }

  /// The name of a frame by an aspect. A frame without an image has the name of its source file for a library: a script is
  /// what it was loaded from.
  static func name(
    by aspect: Breakdown.Aspect, of function: String, _ frame: StackTable.Frame, in trace: Trace
  ) -> String {
    let image = trace.strings[StringID(rawValue: frame.image)]
    let file = trace.strings[StringID(rawValue: frame.file)]
    guard image.isEmpty, !file.isEmpty, aspect == .library || aspect == .module, !file.hasSuffix(".swift") else {
      return name(by: aspect, of: function, image: image, in: trace)
    }
    // Many scripts have the same file name, such as `index.js`.
    return file.hasPrefix("file://") ? String(file.dropFirst(7)) : file
  }

  /// The name of code by an aspect: its function, the Swift module, or the file name of its image.
  static func name(by aspect: Breakdown.Aspect, of function: String, image: String, in trace: Trace) -> String {
    if aspect == .symbol { return function }
    guard aspect == .module else { return Trace.fileName(ofImage: image) }
    return (trace.standardFunctions.contains(function) ? "Swift" : module(of: function))
      ?? Trace.fileName(ofImage: image)
  }

  /// What compilers of C append to a function's name when they make a copy or a part of it.
  private static let copies: Set<Substring> = [
    "cold", "constprop", "part", "isra", "lto_priv", "llvm", "localalias", "clone", "specialized", "unlikely",
  ]

  /// `app` for `static app.Main.run() -> ()` and for `closure #1 in app.load`; nil for code that is not Swift.
  static func module(of name: String) -> String? {
    var rest = FunctionName.outermost(name[...])
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
