// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchObserver

/// What to do where the launcher may not attach to its program.
struct TraceRefusalTests {
  @Test(arguments: [
    (EPERM, nil, false, "seccomp"), (EPERM, 0, false, "seccomp"), (EACCES, 1, false, "seccomp"),
    (EPERM, 2, false, "sudo sysctl kernel.yama.ptrace_scope=1"), (EPERM, 3, false, "reboot"),
    (EPERM, nil, true, "strace -f"), (ESRCH, 3, true, "No such process"),
  ])
  func theReasonIsNamed(error: Int32, scope: Int?, isTraced: Bool, words: String) {
    let text = TraceRefusal.explain(error, scope: scope, isTraced: isTraced)
    #expect(text.contains(words), "\(text)")
  }
}
