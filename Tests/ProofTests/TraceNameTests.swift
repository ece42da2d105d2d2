// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

struct TraceNameTests {
  /// Shared folders of VirtualBox neither rename without replacing, nor have hard links. A filter answers as they do.
  @Test func aFileSystemWithoutHardLinksGetsATrace() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <errno.h>
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stddef.h>
      #include <sys/prctl.h>
      #include <sys/syscall.h>
      #ifndef SYS_link
      #define SYS_link SYS_linkat
      #endif
      #define REFUSE(number, error) \\
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
      int main(int count, char **texts) {
        struct sock_filter rules[] = {
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
          REFUSE(SYS_renameat2, EINVAL), REFUSE(SYS_link, EPERM), REFUSE(SYS_linkat, EPERM),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog filter = {sizeof rules / sizeof rules[0], rules};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 2;
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 2;
        lr_options options = {.path = texts[count - 1]};
        if (lr_start(&options) != LR_STARTED) return 1;
        lr_event(lr_category_make("", 0, "proof", 5), "event");
        return 0;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    let traces = try TemporaryDirectory(keepsTraces: true)
    for _ in 1...2 {
      let run = try TestProcess.run(program, [traces.appending("launch.pftrace")])
      #expect(run.outcome == .exited(0))
    }
    #expect(try traces.contents() == ["launch-2.pftrace", "launch.pftrace"])
    for name in try traces.contents() {
      let trace = try TraceReader().read(path: traces.appending(name))
      #expect(trace.diagnostics.isEmpty && trace.strings.id(of: "event") != nil)
    }
  }
}
