// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension Trace {
  /// Gives static initialisers the names of their functions, where they are known: `<function> (<image>)` instead of
  /// `<image> initializer <n>`. `record` writes them into the trace, and `StackNaming` adds them as symbols.
  func withNamedInitializers() -> Trace {
    let functions = namedFunctions()
    guard !functions.isEmpty else { return self }
    var named = self
    for row in slices(of: CategoryName.initializer) {
      guard let place = ImageOffset(annotations(ofSlice: row)), let function = functions[place], !function.isEmpty
      else { continue }
      let file = place.image.split(separator: "/").last ?? ""
      named.slices.rename(row, to: named.strings.intern("\(function) (\(file))"))
    }
    return named
  }

  /// By path: the build id of the file that the launch used, as the recorder or the observer saw it.
  func buildIDs() -> [String: String] {
    var known: [String: String] = [:]
    func add(_ facts: AnnotationRow, path key: String) {
      if let path = facts.string(key), let id = facts.string(LS_KEY_BUILD_ID) { known[path] = id }
    }
    for row in instants(of: CategoryName.library) { add(annotations(ofInstant: row), path: LS_KEY_PATH) }
    for row in slices(of: CategoryName.initializer) { add(annotations(ofSlice: row), path: LS_KEY_IMAGE) }
    return known
  }

  /// The addresses of static initialisers whose functions the trace does not name, by image.
  func unnamedInitializers() -> [(image: String, offset: UInt64)] {
    let rows = slices(of: CategoryName.initializer)
    if rows.isEmpty { return [] }
    let functions = namedFunctions()
    return rows.compactMap { row in
      guard let place = ImageOffset(annotations(ofSlice: row)), place.offset > 0, functions[place] == nil else {
        return nil
      }
      return (place.image, UInt64(place.offset))
    }
  }

  /// The list `functions` of the `launcher` event, and symbols. `libapp.so+0x12a0` names no function.
  private func namedFunctions() -> [ImageOffset: String] {
    var functions: [ImageOffset: String] = [:]
    for symbol in moduleSymbols where !symbol.function.contains("+0x") {
      let place = ImageOffset(image: symbol.path, offset: Int64(clamping: symbol.address))
      // The functions that are inlined there come first. An initialiser is the one around them.
      functions[place] = symbol.function
    }
    for row in instants(of: CategoryName.launcher) {
      for entry in annotations(ofInstant: row).dictionaries(LS_KEY_FUNCTIONS) {
        guard case .string(let image)? = entry[LS_KEY_IMAGE], case .pointer(let offset)? = entry[LS_KEY_OFFSET],
          case .string(let function)? = entry[LS_KEY_FUNCTION]
        else { continue }
        functions[ImageOffset(image: image, offset: Int64(clamping: offset))] = function
      }
    }
    return functions
  }
}

/// An address in an image.
private struct ImageOffset: Hashable {
  var image: String
  var offset: Int64
}

extension ImageOffset {
  /// That of a static initialiser; nil if the trace does not say.
  init?(_ facts: AnnotationRow) {
    guard let image = facts.string(LS_KEY_IMAGE), let offset = facts.integer(LS_KEY_OFFSET) else { return nil }
    self.init(image: image, offset: offset)
  }
}
