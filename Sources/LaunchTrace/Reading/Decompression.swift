// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib
internal import CLaunchZstd

/// Decompresses a block in memory, to at most `limit` bytes.
enum Decompression {
  enum Outcome {
    case block(DecompressedBlock)
    case broken
    case tooLarge
  }

  /// zlib data (RFC 1950).
  static func inflate(_ block: UnsafeRawBufferPointer, limit: Int) -> Outcome {
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return .broken }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: block.bindMemory(to: UInt8.self).baseAddress)
    stream.avail_in = uInt(clamping: block.count)
    return grow(from: block.count, limit: limit) { room in
      stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = uInt(clamping: room.count)
      let code = CLaunchZlib.inflate(&stream, Z_NO_FLUSH)
      let got = room.count - Int(stream.avail_out)
      switch code {
      case Z_STREAM_END: return (got, .finished)
      case Z_OK: return (got, .more)
      default: return (got, .broken)
      }
    }
  }

  /// Zstandard data (RFC 8878).
  static func zstandard(_ block: UnsafeRawBufferPointer, limit: Int) -> Outcome {
    guard let stream = ZSTD_createDStream() else { return .broken }
    defer { ZSTD_freeDStream(stream) }
    var input = ZSTD_inBuffer(src: block.baseAddress, size: block.count, pos: 0)
    return grow(from: block.count, limit: limit) { room in
      var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
      let code = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_isError(code) != 0 { return (output.pos, .broken) }
      if code == 0, input.pos == input.size { return (output.pos, .finished) }
      // No output and no input left: the block is truncated.
      return (output.pos, output.pos == 0 && input.pos == input.size ? .broken : .more)
    }
  }

  private enum Step { case more, finished, broken }

  private static func grow(
    from size: Int, limit: Int, _ step: (UnsafeMutableRawBufferPointer) -> (Int, Step)
  ) -> Outcome {
    let block = DecompressedBlock(capacity: min(limit, max(4096, size * 4)))
    while true {
      if block.count == block.capacity {
        if block.capacity >= limit { return .tooLarge }
        block.grow(to: min(limit, block.capacity * 2))
      }
      let (got, state) = step(block.room)
      block.count += got
      switch state {
      case .finished: return .block(block)
      case .broken: return .broken
      case .more:
        if got == 0, block.count < block.capacity { return .broken }
      }
    }
  }
}

/// The content of a compressed block.
final class DecompressedBlock {
  fileprivate(set) var count = 0
  fileprivate var capacity: Int
  private var memory: UnsafeMutableRawPointer

  fileprivate init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  fileprivate var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
  }

  fileprivate func grow(to size: Int) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
    capacity = size
  }
}
