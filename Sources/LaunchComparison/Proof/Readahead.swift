// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchSystem

/// How much the kernel reads ahead of a program that waits for a page of a file.
package enum Readahead {
  /// Of the disk that a file is on: `vda 128 KiB`. Of all disks, if the file's file system names none.
  package static func text(ofDiskOf path: String) -> String {
    var facts = stat()
    if stat(path, &facts) == 0 {
      let device = UInt64(facts.st_dev)
      // As makedev(3) puts them together.
      let major = device >> 8 & 0xfff | device >> 32 & 0xffff_f000
      let minor = device & 0xff | device >> 12 & 0xffff_ff00
      if let disk = realPath("/sys/dev/block/\(major):\(minor)") {
        // A partition's folder is in that of its disk.
        for folder in [disk, String(disk.prefix(upTo: disk.lastIndex(of: "/") ?? disk.endIndex))] {
          if let text = text(of: folder) { return text }
        }
      }
    }
    let disks = fileNames(in: "/sys/block").sorted().filter { !$0.hasPrefix("loop") && !$0.hasPrefix("ram") }
      .compactMap { text(of: "/sys/block/\($0)") }
    return disks.isEmpty ? "unknown" : disks.joined(separator: ", ")
  }

  private static func text(of disk: String) -> String? {
    guard let content = try? readFile("\(disk)/queue/read_ahead_kb", limit: 64),
      let kib = Int(String(decoding: content, as: UTF8.self).filter(\.isNumber))
    else { return nil }
    return "\(disk.split(separator: "/").last ?? "") \(kib) KiB"
  }
}
