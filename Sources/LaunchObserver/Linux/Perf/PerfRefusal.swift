// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Explains why perf events are not available.
enum PerfRefusal {
  static func explain(_ error: Int32) -> String {
    let level = fileText("/proc/sys/kernel/perf_event_paranoid").flatMap { text in
      Int(text.prefix { $0 == "-" || $0.isNumber })
    }
    switch error {
    case EACCES, EPERM:
      if let level, level > 2 {
        return "kernel.perf_event_paranoid is \(level); set it to 2 (sudo sysctl kernel.perf_event_paranoid=2)"
      }
      return "\(systemMessage(error)); a container's seccomp profile may forbid perf_event_open"
    case EAGAIN:
      return "the user may not lock enough memory; raise the limit (ulimit -l), or kernel.perf_event_mlock_kb"
    case ENOSYS: return "the kernel does not provide them"
    default: return ResourceLimit.explain(error)
    }
  }

  /// Explains why probes in code are not available although other events are.
  static func explainProbes(_ error: Int32) -> String {
    switch error {
    case EACCES, EPERM: "probes in code (uprobes) need root"
    case ENOSYS, ENOENT: "this kernel has no probes in code (CONFIG_UPROBE_EVENTS)"
    default: explain(error)
    }
  }

  /// Explains why the kernel's tracepoints are not available although other events are.
  static func explainTracepoints(_ error: Int32) -> String {
    error == EACCES || error == EPERM ? "the kernel's tracepoints need CAP_PERFMON" : explain(error)
  }
}
