// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The names of a directory's entries; none if there is no such directory.
public func names(in directory: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
}

/// The content of a file, also of one whose size the system does not know.
public func contents(_ path: String) throws -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw ToolFailure("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  var bytes: [UInt8] = []
  while true {
    let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { $1 = max(0, read(file, $0.baseAddress, $0.count)) }
    if block.isEmpty { return bytes }
    bytes += block
  }
}
