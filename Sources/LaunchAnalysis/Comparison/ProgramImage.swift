/// What a program's files say of its launch without running it: the same every time, so that one launch is enough to see
/// that something was linked in addition.
public struct ProgramImage: Sendable, Equatable {
  /// Names of the shared libraries that the program needs, directly or not, as far as they were found.
  public var libraries: [String]
  /// Of their files, bytes.
  public var libraryBytes: Int64
  /// Dynamic relocations of the program and its libraries.
  public var relocations: Int64
  /// Entries of the initialiser arrays of the program and its libraries.
  public var initializers: Int64
  /// Of the program's own file, bytes.
  public var bytes: Int64
  /// Compilers that left their names in the program's file.
  public var toolchain: String?
  /// Hexadecimal; empty when the file has none.
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
}
