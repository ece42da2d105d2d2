// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

extension StaticString {
  /// The string's bytes. They end with a NUL and live as long as the program.
  @_borrowed @_alwaysEmitIntoClient
  package var signpostName: UnsafePointer<CChar> {
    _read {
      yield hasPointerRepresentation
        ? UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) : scalarSignpostName()
    }
  }

  /// For a literal of one scalar, which may have no bytes in memory.
  @usableFromInline
  internal func scalarSignpostName() -> UnsafePointer<CChar> {
    withUTF8Buffer { lr_permanent_string($0.characters, $0.count) } ?? StaticString("?").signpostName
  }
}

extension UnsafeBufferPointer<UInt8> {
  @_borrowed @_alwaysEmitIntoClient
  package var characters: UnsafePointer<CChar>? {
    _read { yield UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self) }
  }
}
#endif
