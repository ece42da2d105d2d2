// SPDX-License-Identifier: Apache-2.0

/// Writes all bytes to an open file. Waits if another program left a terminal or a pipe non-blocking.
///
/// - Returns: 0, or the errno of write(2).
package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(file, rest.baseAddress, rest.count)
    if count < 0 {
      let error = errno
      if error == EINTR || error == EAGAIN && waitUntilWritable(file) { continue }
      return error
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return 0
}

/// `writeAll` for bytes of an array.
package func writeAll(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Int32 {
  bytes.withUnsafeBytes { writeAll($0, to: file) }
}

private func waitUntilWritable(_ file: Int32) -> Bool {
  var request = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
  return poll(&request, 1, -1) >= 0 || errno == EINTR
}
