// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// What a program's files say about its launch, without running it. It is the same every time, so one launch is
/// enough to see that something was linked in addition. It is the annotation `image` of the launcher's event
/// (docs/trace-format.md).
public struct ImageDescription: Sendable, Equatable, Codable {
  /// Names of the shared libraries that the program needs, directly or not.
  public var libraries: [String]
  /// Size of their files in bytes, as far as they were found.
  public var libraryBytes: Int64
  /// Dynamic relocations of the program and its libraries.
  public var relocations: Int64
  /// Entries of the initialiser arrays of the program and its libraries.
  public var initializers: Int64
  /// Size of the program's file, bytes.
  public var bytes: Int64
  /// Compilers that left their names in the program's file.
  public var toolchain: String?
  /// The build id, hexadecimal; empty if the file has none.
  public var buildID: String

  public init(
    libraries: [String], libraryBytes: Int64, relocations: Int64, initializers: Int64, bytes: Int64, toolchain: String?,
    buildID: String
  ) {
    self.libraries = libraries
    self.libraryBytes = libraryBytes
    self.relocations = relocations
    self.initializers = initializers
    self.bytes = bytes
    self.toolchain = toolchain
    self.buildID = buildID
  }

  /// The form in which a trace contains it.
  public var annotation: AnnotationValue {
    var entries: [String: AnnotationValue] = [
      LS_KEY_LIBRARIES: .array(libraries.map(AnnotationValue.string)), LS_KEY_LIBRARY_BYTES: .int(libraryBytes),
      LS_KEY_RELOCATIONS: .int(relocations), LS_KEY_INITIALIZERS: .int(initializers), LS_KEY_BYTES: .int(bytes),
      LS_KEY_BUILD_ID: .string(buildID),
    ]
    if let toolchain { entries[LS_KEY_TOOLCHAIN] = .string(toolchain) }
    return .dictionary(entries)
  }

  /// nil if the value is not such an annotation.
  public init?(_ annotation: AnnotationValue) {
    guard case .dictionary(let entries) = annotation else { return nil }
    func number(_ key: String) -> Int64? {
      switch entries[key] {
      case .int(let value)?: value
      case .uint(let value)?: Int64(clamping: value)
      default: nil
      }
    }
    func text(_ key: String) -> String? { if case .string(let value)? = entries[key] { value } else { nil } }
    guard case .array(let libraries)? = entries[LS_KEY_LIBRARIES], let libraryBytes = number(LS_KEY_LIBRARY_BYTES),
      let relocations = number(LS_KEY_RELOCATIONS), let initializers = number(LS_KEY_INITIALIZERS),
      let bytes = number(LS_KEY_BYTES)
    else { return nil }
    self.init(
      libraries: libraries.compactMap { if case .string(let name) = $0 { name } else { nil } },
      libraryBytes: libraryBytes, relocations: relocations, initializers: initializers, bytes: bytes,
      toolchain: text(LS_KEY_TOOLCHAIN), buildID: text(LS_KEY_BUILD_ID) ?? "")
  }
}
