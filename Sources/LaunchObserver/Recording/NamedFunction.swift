// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSymbols
internal import LaunchTrace

/// The name of the function at an address of an image.
struct NamedFunction: Equatable {
  /// Path, as in the recorder's trace.
  var image: String
  /// Run-time address − load bias.
  var offset: UInt64
  /// The name for people.
  var function: String

  var annotation: AnnotationValue {
    .dictionary([LS_KEY_IMAGE: .string(image), LS_KEY_OFFSET: .pointer(offset), LS_KEY_FUNCTION: .string(function)])
  }

  /// Names for the static initialisers of a trace, which has only their images and offsets. They come from the images'
  /// symbols. An image that cannot be read yields no names.
  static func initializers(of trace: Trace) -> [NamedFunction] {
    offsets(of: trace).sorted { $0.key < $1.key }.flatMap { image, offsets -> [NamedFunction] in
      guard let file = try? ELFFile(path: image) else { return [] }
      return zip(offsets, file.symbols(at: offsets)).compactMap { offset, symbol in
        symbol.map { NamedFunction(image: image, offset: offset, function: $0.name) }
      }
    }
  }

  /// Offsets by image path, sorted.
  private static func offsets(of trace: Trace) -> [String: [UInt64]] {
    guard let category = trace.strings.id(of: LS_CATEGORY_INITIALIZER),
      let imageKey = trace.strings.id(of: LS_KEY_IMAGE), let offsetKey = trace.strings.id(of: LS_KEY_OFFSET)
    else { return [:] }
    var offsets: [String: Set<UInt64>] = [:]
    for row in 0..<trace.slices.count where trace.slices.category[row] == category.rawValue {
      let annotation = trace.slices.annotation[row]
      guard case .string(let image) = trace.annotations.value(row: annotation, key: imageKey), image.hasPrefix("/")
      else { continue }
      switch trace.annotations.value(row: annotation, key: offsetKey) {
      case .uint(let offset), .pointer(let offset): offsets[image, default: []].insert(offset)
      case .int(let offset): offsets[image, default: []].insert(UInt64(bitPattern: offset))
      default: break
      }
    }
    return offsets.mapValues { $0.sorted() }
  }
}
