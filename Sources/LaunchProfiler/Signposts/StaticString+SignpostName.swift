// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

extension StaticString {
  /// The string's bytes. They end with a NUL and live as long as the program.
  @_alwaysEmitIntoClient
  internal var signpostName: UnsafePointer<CChar> {
    hasPointerRepresentation
      ? UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) : scalarSignpostName
  }

  /// For a literal of one scalar, which may have no bytes in memory.
  @usableFromInline
  internal var scalarSignpostName: UnsafePointer<CChar> {
    withUTF8Buffer { lr_permanent_string($0.characters, $0.count) } ?? StaticString("?").signpostName
  }
}

extension UnsafeBufferPointer<UInt8> {
  @_alwaysEmitIntoClient
  package var characters: UnsafePointer<CChar>? {
    UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}
#endif
