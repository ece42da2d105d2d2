// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib
internal import CLaunchZstd
internal import Glibc
package import LaunchRecord
internal import LaunchSystem

extension LineFile {
  /// Reads the records of a file of any of the three kinds, as its first bytes say. Lines that are not records are counted.
  ///
  /// - Throws: `ShippingError`: `cannotRead`, also for a file that is not compressed as it says. An incomplete last line is not an error.
  package func records() throws(ShippingError) -> (records: [Record], broken: Int) {
    var (records, broken): ([Record], Int) = ([], 0)
    for line in try contents().split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ $0 <= 0x20 }) {
      if let record = RecordReader.read(String(decoding: line, as: UTF8.self)) {
        records.append(record)
      } else {
        broken += 1
      }
    }
    return (records, broken)
  }

  /// What a file may have, decompressed.
  private static let largest = 1 << 30

  private func contents() throws(ShippingError) -> [UInt8] {
    let bytes = try stored()
    if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return try unpackedZstd(bytes) }
    if bytes.starts(with: [0x1f, 0x8b]) { return try unpackedGzip(bytes) }
    return bytes
  }

  private func stored() throws(ShippingError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw cannotRead(systemMessage(errno), errno) }
    defer { close(file) }
    var (bytes, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let got = read(file, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw cannotRead(systemMessage(errno), errno) }
      if got == 0 { return bytes }
      bytes += chunk[..<got]
      if bytes.count > Self.largest { throw cannotRead("it is larger than \(Self.largest >> 20) MiB") }
    }
  }

  private func cannotRead(_ reason: String, _ error: Int32 = 0) -> ShippingError {
    ShippingError(.cannotRead, path, "cannot be read: \(reason)", errno: error)
  }

  private func unpackedZstd(_ bytes: [UInt8]) throws(ShippingError) -> [UInt8] {
    guard let stream = ZSTD_createDStream() else { throw cannotRead("memory is short") }
    defer { ZSTD_freeDStream(stream) }
    var (result, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 17))
    var place = 0
    while true {
      let (code, taken, made) = bytes.withUnsafeBytes { source in
        chunk.withUnsafeMutableBytes { room in
          var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: place)
          var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
          let code = ZSTD_decompressStream(stream, &output, &input)
          return (code, input.pos, output.pos)
        }
      }
      if ZSTD_isError(code) != 0 { throw cannotRead("its compression is broken") }
      place = taken
      result += chunk[..<made]
      if result.count > Self.largest { throw cannotRead("it is larger than \(Self.largest >> 20) MiB") }
      if place == bytes.count, made < chunk.count { return result }
    }
  }

  private func unpackedGzip(_ bytes: [UInt8]) throws(ShippingError) -> [UInt8] {
    var (input, result, chunk): ([UInt8], [UInt8], [UInt8]) = (bytes, [], [UInt8](repeating: 0, count: 1 << 17))
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw cannotRead("memory is short")
    }
    defer { inflateEnd(&stream) }
    var place = 0
    while place < input.count {
      let code = input.withUnsafeMutableBufferPointer { source in
        chunk.withUnsafeMutableBufferPointer { room in
          (stream.next_in, stream.avail_in) = (source.baseAddress! + place, UInt32(source.count - place))
          (stream.next_out, stream.avail_out) = (room.baseAddress, UInt32(room.count))
          return inflate(&stream, Z_NO_FLUSH)
        }
      }
      let made = chunk.count - Int(stream.avail_out)
      place = input.count - Int(stream.avail_in)
      result += chunk[..<made]
      if result.count > Self.largest { throw cannotRead("it is larger than \(Self.largest >> 20) MiB") }
      // A member has ended, and another one may follow.
      if code == Z_STREAM_END {
        inflateReset(&stream)
      } else if code == Z_BUF_ERROR, made == 0 {
        break
      } else if code != Z_OK {
        throw cannotRead("its compression is broken")
      }
    }
    return result
  }
}
