import Glibc

/// Why perf events are not to be had, for people.
enum PerfRefusal {
  static func explain(_ error: Int32) -> String {
    let level = readSmallFile("/proc/sys/kernel/perf_event_paranoid").flatMap { text in
      Int(text.prefix { $0 == "-" || $0.isNumber })
    }
    switch error {
    case EACCES, EPERM:
      if let level, level > 2 { return "kernel.perf_event_paranoid is \(level); 2 would do" }
      return "\(describe(error)); a container's seccomp profile may forbid perf_event_open"
    case ENOSYS: return "this system has none"
    case EMFILE, ENFILE: return "\(describe(error)); raise the limit (ulimit -n)"
    default: return describe(error)
    }
  }

  /// Why probes in code are not, though other events are.
  static func explainProbes(_ error: Int32) -> String {
    switch error {
    case EACCES, EPERM: "probes in code (uprobes) need root"
    case ENOSYS, ENOENT: "this kernel has no probes in code (CONFIG_UPROBE_EVENTS)"
    default: explain(error)
    }
  }

  /// Why the kernel's tracepoints are not, though other events are.
  static func explainTracepoints(_ error: Int32) -> String {
    error == EACCES || error == EPERM ? "the kernel's tracepoints need CAP_PERFMON" : explain(error)
  }
}
