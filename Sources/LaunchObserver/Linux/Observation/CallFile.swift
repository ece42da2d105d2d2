// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// The file that a system call of a process is about.
struct CallFile {
  let processID: Int32
  /// The thread can be interrupted (`S` in /proc): so it waits until someone opens the other end of a FIFO, but not for a disk.
  let isSleeping: Bool

  /// The pipe or FIFO that is the standard input of this process, and so of what it launches; empty if the input is neither, nil
  /// if that is not known.
  static var inputPipe: String? {
    guard ProcessFiles.absence == nil else { return nil }
    let name = CallFile(processID: getpid(), isSleeping: true).file(behind: STDIN_FILENO)
    return name.hasPrefix("pipe:") || name.hasPrefix("fifo:") ? name : ""
  }

  private var folder: String { ProcessFiles.folder(processID) }

  /// As in /proc or in the argument, but a FIFO is `fifo:NAME`, because its name looks like a file's; empty if it is not known.
  ///
  /// - Parameter arguments: the six of the call.
  func path(_ form: lo_system_call_form, _ arguments: [UInt64]) -> String {
    func number(_ place: Int) -> Int32 { Int32(truncatingIfNeeded: arguments[place]) }
    if form.descriptor_argument >= 0 { return file(behind: number(Int(form.descriptor_argument))) }
    let place = Int(form.path_argument)
    let path = string(at: arguments[place])
    // openat(2) and its kind have a directory before the path.
    return named(path, in: place > 0 ? number(place - 1) : AT_FDCWD)
  }

  private func file(behind descriptor: Int32) -> String {
    let link = "\(folder)/fd/\(descriptor)"
    var status = stat()
    let isFIFO = stat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let name = linkTarget(link) ?? ""
    return isFIFO && name.hasPrefix("/") ? "fifo:\(name)" : name
  }

  private func named(_ path: String, in directory: Int32) -> String {
    guard isSleeping, !path.isEmpty else { return path }
    let start = path.hasPrefix("/") ? "root" : directory == AT_FDCWD ? "cwd" : "fd/\(directory)"
    return lo_is_cached_fifo("\(folder)/\(start)", path) ? "fifo:\(path)" : path
  }

  private func string(at address: UInt64) -> String {
    // Only up to the end of the page: the next page may not exist.
    var bytes = [UInt8](repeating: 0, count: Int(min(256, 4096 - address % 4096)))
    guard lo_read_memory(processID, address, &bytes, bytes.count) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
