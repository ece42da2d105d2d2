// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc

/// Writes all bytes to an open file.
///
/// - Returns: 0, or the errno of write(2).
package func writeAll(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Int32 {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes
    while !rest.isEmpty {
      let count = write(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return 0
  }
}
#endif
