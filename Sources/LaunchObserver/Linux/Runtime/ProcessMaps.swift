// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// What a process has mapped: /proc/PID/maps.
enum ProcessMaps {
  /// Code: of files, of the kernel, and without a file. Memory that is shared has code that was compiled at run time.
  static func code(of process: Int32) -> [PerfEvents.Mapping] {
    guard let maps = fopen(ProcessFiles.folder(process) + "/maps", "re") else { return [] }
    defer { fclose(maps) }
    let now = Int64(lo_now())
    var found: [PerfEvents.Mapping] = []
    var line = [CChar](repeating: 0, count: 4096 + 128)
    while fgets(&line, Int32(line.count), maps) != nil {
      // Most lines are of data, and to make strings of them takes long.
      guard let rights = line.firstIndex(of: 32), rights + 3 < line.count, line[rights + 3] == 120 else { continue }
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // address-address rights offset device inode path
      let fields = text.split(separator: " ", maxSplits: 5)
      guard fields.count >= 5, let offset = UInt64(fields[2], radix: 16) else { continue }
      let range = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard range.count == 2, range[0] < range[1] else { continue }
      let path = fields.count == 6 ? fields[5].drop { $0 == " " } : ""
      var mapping = PerfEvents.Mapping(
        place: PerfEvents.Occurrence(time: now, processID: process, threadID: process), address: range[0],
        length: range[1] - range[0], offset: offset, path: String(path), protection: UInt32(PROT_READ | PROT_EXEC),
        inode: UInt64(fields[4]) ?? 0)
      if path.isEmpty || fields[1].hasSuffix("s") { mapping.forgetFileOfSharedCode() }
      found.append(mapping)
    }
    return found
  }
}
