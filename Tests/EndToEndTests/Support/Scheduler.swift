// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether this process may use the scheduler's tracepoints, which need root.
enum Scheduler {
  static let mayBeAsked =
    geteuid() == 0
    && ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"].contains {
      access($0 + "/events/sched/sched_waking/format", R_OK) == 0
    }
}
