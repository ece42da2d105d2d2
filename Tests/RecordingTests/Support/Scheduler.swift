// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Whether this process may use the scheduler's tracepoints, which need root.
enum Scheduler {
  static let mayBeAsked = geteuid() == 0 && (isMounted || mayOpen)

  /// Whether its numbers of other programs' threads are also ours: this is the first pid namespace (PROC_PID_INIT_INO).
  static let knowsOtherPrograms: Bool = {
    var status = stat()
    return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == 0xefff_fffc
  }()

  private static let isMounted = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"].contains {
    access($0 + "/events/sched/sched_waking/format", R_OK) == 0
  }

  /// Tracefs can be opened without a mount (Linux 5.2): the kernel has it, and this is not root of a container only.
  private static let mayOpen: Bool = {
    func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    let capabilities = text("/proc/self/status").firstMatch(of: /CapEff:\s*([0-9a-f]+)/).flatMap {
      UInt64($0.1, radix: 16)
    }
    let mayAdminister = (capabilities ?? 0) >> 21 & 1 == 1
    let isOutside = text("/proc/self/uid_map").split(separator: " ").last?.hasPrefix("4294967295") ?? false
    return mayAdminister && isOutside && text("/proc/filesystems").contains("tracefs")
  }()
}
