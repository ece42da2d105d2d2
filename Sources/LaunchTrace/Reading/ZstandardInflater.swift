// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZstd

/// Decompresses Zstandard frames (RFC 8878) from an input.
///
/// The decoder keeps a window of at most 128 MiB, whatever the file asks for.
final class ZstandardInflater: Decompressor {
  /// Whether the bytes begin a frame. It may be one that readers skip: pzstd writes one before each frame of data.
  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || bytes.count >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d && bytes[3] == 0x18
  }

  let input: TraceInput
  private let stream: OpaquePointer
  private var isInFrame = false
  private var isFinished = false
  /// Whether the file ends inside a frame, or contains data that is not a frame.
  private(set) var isDamaged = false
  /// Bytes after the last frame are damage.
  var isFollowed: Bool { false }

  init(_ input: TraceInput) throws(TraceError) {
    guard let stream = ZSTD_createDStream() else {
      throw TraceError(.cannotRead, path: input.path, message: "cannot be decompressed: zstd does not start")
    }
    self.input = input
    self.stream = stream
  }

  deinit { ZSTD_freeDStream(stream) }

  func read(into room: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
    while !isFinished, output.pos < output.size {
      // First what the decoder still holds, then more of the file.
      let before = output.pos
      var given = ZSTD_inBuffer(src: input.start, size: input.count, pos: 0)
      let code = ZSTD_decompressStream(stream, &output, &given)
      input.consume(given.pos)
      if ZSTD_isError(code) != 0 {
        (isFinished, isDamaged) = (true, true)
      } else if given.pos > 0 || output.pos > before {
        isInFrame = code != 0
      } else if try !input.fill() {
        (isFinished, isDamaged) = (true, isInFrame)
      }
    }
    return output.pos
  }
}
