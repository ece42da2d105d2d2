// SPDX-License-Identifier: Apache-2.0

/// Decompresses a block in memory, to at most `limit` bytes.
enum Decompression {
  enum Outcome {
    case block(DecompressedBlock)
    case broken
    case tooLarge
  }

  static func run(_ block: UnsafeRawBufferPointer, isZstandard: Bool, limit: Int) -> Outcome {
    let input = TraceInput(memory: block, path: "")
    do throws(TraceError) {
      let source: any Decompressor = isZstandard ? try ZstandardInflater(input) : try Inflater(input)
      let block = DecompressedBlock(capacity: min(limit, max(4096, block.count * 4)))
      while true {
        if block.count == block.capacity {
          if block.capacity >= limit { return .tooLarge }
          block.grow(to: min(limit, block.capacity * 2))
        }
        let got = try source.read(into: block.room)
        if got == 0 { return source.isDamaged ? .broken : .block(block) }
        block.count += got
      }
    } catch { return .broken }
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
