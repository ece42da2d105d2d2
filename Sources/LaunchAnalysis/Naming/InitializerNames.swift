// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension Trace {
  /// Gives static initialisers the names of their functions, where the command wrote them into the trace: `<function>
  /// (<image>)` instead of `<image> initializer <n>`.
  func withNamedInitializers() -> Trace {
    guard let category = strings.id(of: CategoryName.initializer)?.rawValue else { return self }
    let functions = namedFunctions()
    guard !functions.isEmpty else { return self }
    var named = self
    for row in 0..<slices.count where slices.category[row] == category {
      let facts = AnnotationRow(self, row: slices.annotation[row])
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
    guard let category = strings.id(of: CategoryName.launcher)?.rawValue else { return [:] }
    var functions: [ImageOffset: String] = [:]
    for row in 0..<instants.count where instants.category[row] == category {
      guard case .array(let entries)? = AnnotationRow(self, row: instants.annotation[row])[LS_KEY_FUNCTIONS] else {
        continue
      }
      for case .dictionary(let entry) in entries {
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
