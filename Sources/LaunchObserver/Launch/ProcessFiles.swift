// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// The files of processes in /proc.
///
/// A pid namespace may have the /proc of another one, where our numbers are those of other processes: `unshare --pid
/// --fork` without `--mount-proc`. What is read there is not about the launch.
enum ProcessFiles {
  private static let areOurs = lo_sees_processes()

  /// The folder of a process. If /proc does not show it by this number, the folder does not exist.
  static func folder(_ processID: Int32) -> String { areOurs ? "/proc/\(processID)" : "/proc/none" }

  /// The folder of a thread of a process.
  static func folder(ofThread thread: Int32, of process: Int32) -> String { "\(folder(process))/task/\(thread)" }

  /// The name of a process or of a thread; nil if its folder does not exist.
  static func name(in folder: String) -> String? {
    fileText(folder + "/comm", limit: 64).map { String($0.prefix { $0 != "\n" }) }
  }

  /// What a process has read from disks so far, bytes; nil if its folder does not exist, this user may not read that, or the
  /// system of its executable's file does not count.
  static func readBytes(of processID: Int32) -> UInt64? {
    guard lo_counts_reads(folder(processID) + "/exe") else { return nil }
    return fileText(folder(processID) + "/io", limit: 4_096)?.line(after: "read_bytes: ").flatMap { UInt64($0) }
  }

  /// What the kernel passed to a program at its start, by the types of getauxval(3); empty if it cannot be read.
  static func auxiliaryVector(of processID: Int32) -> [UInt64: UInt64] {
    let bytes = (try? fileHead(folder(processID) + "/auxv", limit: 1_024)) ?? []
    let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    return stride(from: 0, to: words.count - 1, by: 2).reduce(into: [:]) { values, index in
      if words[index] != 0 { values[words[index]] = words[index + 1] }
    }
  }

  /// Why folders of processes do not exist; nil if they do.
  static var absence: String? {
    if areOurs { return nil }
    return access("/proc/stat", F_OK) == 0
      ? "/proc shows the processes of another pid namespace (unshare --mount-proc mounts the right one)"
      : "/proc is not mounted"
  }

  /// What an observation lacks for that reason; empty for nothing.
  static var shortcoming: String {
    absence.map { "\($0), so the time of main and the causes of waits are not known" } ?? ""
  }
}

extension String {
  /// The rest of the first line that begins with `start`; nil if none does.
  func line(after start: String) -> Substring? {
    utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: start.utf8) }
      .map { Substring($0.dropFirst(start.utf8.count)) }
  }
}
