internal import LaunchTrace

extension Trace {
  /// Static initialisers by the names of their functions, where the trace brings symbols for them: `<function>
  /// (<image>)` instead of `<image> initializer <n>`.
  func withNamedInitializers() -> Trace {
    guard !moduleSymbols.isEmpty, let category = strings.id(of: CategoryName.initializer)?.rawValue else { return self }
    var functions: [Place: String] = [:]
    for symbol in moduleSymbols {
      functions[Place(image: symbol.path, offset: Int64(truncatingIfNeeded: symbol.address))] = symbol.function
    }
    var named = self
    for row in 0..<slices.count where slices.category[row] == category {
      let facts = AnnotationRow(self, row: slices.annotation[row])
      guard let image = facts.string("image"), let offset = facts.integer("offset"),
        let function = functions[Place(image: image, offset: offset)], !function.isEmpty
      else { continue }
      let file = image.split(separator: "/").last ?? ""
      named.slices.rename(row, to: named.strings.intern("\(function) (\(file))"))
    }
    return named
  }
}

/// An address of an image.
private struct Place: Hashable {
  var image: String
  var offset: Int64
}
