// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform
#endif

/// How much of the program's files came from the disk. From this, a program can tell a cold launch from a warm one.
public struct ImageResidency: Sendable, Equatable {
  /// Bytes that the process has read from disks since it was created; nil if the kernel does not report them.
  public var readBytes: Int64?
  /// Size of the executable file, bytes.
  public var executableBytes: Int64
  /// Bytes of the executable file that are still not in memory. nil if the kernel does not report them, as for files of
  /// other users.
  public var missingBytes: Int64?

  public init(readBytes: Int64?, executableBytes: Int64, missingBytes: Int64?) {
    self.readBytes = readBytes
    self.executableBytes = executableBytes
    self.missingBytes = missingBytes
  }

  /// `warm` if the process read nothing from a disk. `cold` if the bytes that it read, and those that are still
  /// missing, are together at least half the size of the executable. `uncertain` between these, and without evidence.
  /// Major faults are not evidence, because the recorder's own file causes some, too.
  public var kind: LaunchKind {
    guard let readBytes else { return .uncertain }
    if readBytes == 0 { return .warm }
    let absent = readBytes.addingReportingOverflow(missingBytes ?? 0)
    return executableBytes > 0 && (absent.overflow || absent.partialValue >= executableBytes / 2) ? .cold : .uncertain
  }
}

#if !canImport(os)
extension ImageResidency {
  /// What this process has read so far. When `main` begins, that is what loading has read.
  public static var current: ImageResidency {
    let (size, missing) = executablePages()
    return ImageResidency(readBytes: bytesRead(), executableBytes: size, missingBytes: missing)
  }

  /// `read_bytes` of /proc/pid/io (proc(5)): bytes that were fetched from the storage layer.
  private static func bytesRead() -> Int64? {
    let file = open("/proc/self/io", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("read_bytes: ") }
    return line.flatMap { Int64($0.dropFirst("read_bytes: ".count)) }
  }

  private static func executablePages() -> (size: Int64, missing: Int64?) {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard file >= 0 else { return (0, nil) }
    defer { close(file) }
    guard fstat(file, &status) == 0, let size = Int(exactly: status.st_size), size > 0 else { return (0, nil) }
    // mincore(2) reports every page as resident for a file that this user neither owns nor may write.
    let isOurs = status.st_uid == geteuid() || access("/proc/self/exe", W_OK) == 0
    guard isOurs, let pages = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), pages != MAP_FAILED else {
      return (Int64(size), nil)
    }
    defer { munmap(pages, size) }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var residency = [UInt8](repeating: 0, count: (size + page - 1) / page)
    guard mincore(pages, size, &residency) == 0 else { return (Int64(size), nil) }
    return (Int64(size), Int64(residency.count { $0 & 1 == 0 } * page))
  }
}
#endif
