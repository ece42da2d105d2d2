import Glibc

/// Whether the kernel's scheduler tells who waits for what: by tracepoints, for root.
enum Scheduler {
  static let mayBeAsked =
    geteuid() == 0
    && ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"].contains {
      access($0 + "/events/sched/sched_waking/format", R_OK) == 0
    }
}
