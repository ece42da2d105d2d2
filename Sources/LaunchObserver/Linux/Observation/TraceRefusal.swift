// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Explains why the launcher cannot attach to the program that it launches (ptrace(2)).
enum TraceRefusal {
  static func explain(_ error: Int32) -> String {
    explain(
      error, scope: fileText("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0.prefix { $0.isNumber }) },
      isTraced: isTraced)
  }

  /// - Parameters:
  ///   - scope: what Yama allows (ptrace(2)); nil in a kernel without Yama.
  ///   - isTraced: another process traces the launcher, and so perhaps its children.
  static func explain(_ error: Int32, scope: Int?, isTraced: Bool) -> String {
    guard error == EPERM || error == EACCES else { return systemMessage(error) }
    if isTraced { return "another process traces it, as strace -f does" }
    switch scope {
    case 2?: return "kernel.yama.ptrace_scope is 2; set it to 1 (sudo sysctl kernel.yama.ptrace_scope=1)"
    case 3?: return "kernel.yama.ptrace_scope is 3, and only a reboot changes that"
    default: return "\(systemMessage(error)); a container's seccomp profile may forbid ptrace or waitid"
    }
  }

  private static var isTraced: Bool {
    fileText("/proc/self/status")?.line(after: "TracerPid:\t").map { $0 != "0" } ?? false
  }
}
