// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZstd

extension LineFile {
  /// Bytes as the file stores them: a whole frame.
  func compressed(_ bytes: [UInt8]) throws(ShippingError) -> [UInt8] {
    let result: [UInt8]? =
      switch compression {
      case .none: bytes
      case .zstd: Self.zstd(bytes)
      case .gzip: Gzip.compressed(bytes)
      }
    guard let result else {
      throw ShippingError(.cannotWrite, path, "cannot be compressed: there is not enough memory")
    }
    return result
  }

  private static func zstd(_ bytes: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let size = ZSTD_compress(&result, result.count, bytes, bytes.count, 3)
    guard ZSTD_isError(size) == 0 else { return nil }
    result.removeLast(result.count - size)
    return result
  }
}
