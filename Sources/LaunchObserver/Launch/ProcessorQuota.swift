// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The CPU quota of our control group, and of the groups above it: `cpu.max`, or `cpu.cfs_quota_us` in version 1
/// (cgroups(7)). When a group has used its quota, the kernel stops its processes until the next period begins.
struct ProcessorQuota {
  /// The statistics of each group that could have a quota.
  private let files: [String]

  /// - Parameters:
  ///   - groups: the text of /proc/self/cgroup.
  ///   - root: where control groups are mounted.
  init(groups: String = fileText("/proc/self/cgroup") ?? "", root: String = "/sys/fs/cgroup") {
    var files: [String] = []
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let controllers = fields[1].split(separator: ",")
      // Version 2 names no controllers.
      guard controllers.isEmpty || controllers.contains("cpu") else { continue }
      let mount = controllers.isEmpty ? root : "\(root)/\(fields[1])"
      files += Self.groups(above: fields[2]).map { "\(mount)\($0)/cpu.stat" }
    }
    self.files = files
  }

  /// A group and those above it. In a container, the path may be one that only the host has. The container then sees its
  /// own group as the root.
  private static func groups(above path: Substring) -> [String] {
    var group = ""
    return [""]
      + path.split(separator: "/").map { name in
        group += "/\(name)"
        return group
      }
  }

  /// In how many periods until now a quota stopped processes; 0 without a quota.
  func throttledPeriods() -> UInt64 {
    files.reduce(0) { sum, file in
      let count = fileText(file, limit: 4096)?.line(after: "nr_throttled ").flatMap { UInt64($0) }
      return sum &+ (count ?? 0)
    }
  }
}
