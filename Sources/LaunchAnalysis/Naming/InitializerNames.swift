// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension Trace {
  /// Gives static initialisers the names of their functions, where the command wrote them into the trace: `<function>
  /// (<image>)` instead of `<image> initializer <n>`.
  func withNamedInitializers() -> Trace {
    let functions = namedFunctions()
    guard !functions.isEmpty else { return self }
    var named = self
    for row in slices(of: CategoryName.initializer) {
      let facts = annotations(ofSlice: row)
      guard let image = facts.string(LS_KEY_IMAGE), let offset = facts.integer(LS_KEY_OFFSET),
        let function = functions[ImageOffset(image: image, offset: offset)], !function.isEmpty
      else { continue }
      let file = image.split(separator: "/").last ?? ""
      named.slices.rename(row, to: named.strings.intern("\(function) (\(file))"))
    }
    return named
  }

  /// The list `functions` of the `launcher` event.
  private func namedFunctions() -> [ImageOffset: String] {
    var functions: [ImageOffset: String] = [:]
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
