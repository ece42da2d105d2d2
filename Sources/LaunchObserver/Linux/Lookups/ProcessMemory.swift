// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// The memory of a process that has stopped, in the machine's byte order.
struct ProcessMemory {
  private let read: (_ address: UInt64, _ count: Int) -> [UInt8]?
  private var pages: [UInt64: [UInt8]?] = [:]

  private static let pageSize: UInt64 = 4096
  private static let longestText = 512

  /// - Parameter read: copies bytes of one page; nil where nothing is.
  init(read: @escaping (_ address: UInt64, _ count: Int) -> [UInt8]?) { self.read = read }

  init(of process: Int32) {
    self.init { address, count in
      var bytes = [UInt8](repeating: 0, count: count)
      return lo_read_memory(process, address, &bytes, count) == 0 ? bytes : nil
    }
  }

  mutating func bytes(at address: UInt64, count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var place = address
    while bytes.count < count {
      guard let page = page(of: place) else { return nil }
      let offset = Int(place % Self.pageSize)
      let part = page[offset..<min(page.count, offset + count - bytes.count)]
      bytes += part
      let (next, overflow) = place.addingReportingOverflow(UInt64(part.count))
      if overflow { return nil }
      place = next
    }
    return bytes
  }

  private mutating func page(of address: UInt64) -> [UInt8]? {
    let start = address - address % Self.pageSize
    if let known = pages[start] { return known }
    let page = read(start, Int(Self.pageSize))
    pages[start] = .some(page)
    return page
  }

  mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at address: UInt64) -> T? {
    bytes(at: address, count: MemoryLayout<T>.size)?.withUnsafeBytes { $0.loadUnaligned(as: T.self) }
  }

  /// A zero-terminated string; nil if it is not UTF-8, or has no end soon.
  mutating func text(at address: UInt64) -> String? {
    var text: [UInt8] = []
    while text.count < Self.longestText {
      let (place, overflow) = address.addingReportingOverflow(UInt64(text.count))
      guard !overflow, let byte = integer(UInt8.self, at: place) else { return nil }
      if byte == 0 { return String(validating: text, as: UTF8.self) }
      text.append(byte)
    }
    return nil
  }

  /// Where a relative reference of Swift's metadata leads; 0 leads nowhere.
  mutating func direct(at address: UInt64) -> UInt64? {
    guard let offset = integer(Int32.self, at: address), offset != 0 else { return nil }
    return address &+ UInt64(bitPattern: Int64(offset))
  }

  /// As before; with its lowest bit set, a reference leads to a pointer.
  mutating func indirectable(at address: UInt64) -> UInt64? {
    guard let place = direct(at: address), let offset = integer(Int32.self, at: address) else { return nil }
    return offset & 1 == 0 ? place : integer(UInt64.self, at: place &- 1)
  }
}
