// SPDX-License-Identifier: Apache-2.0

// restricted CALLS PROGRAM [ARGUMENTS…]: executes a program for which the kernel refuses some system calls. CALLS is
// `perf` (perf_event_open), `perf,ptrace`, `eventfd`, `waitid` or `wait4`, as in a container's seccomp profile. Or it is `populate` (madvise's
// MADV_POPULATE_WRITE), as on Linux before 5.14.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: restricted perf|perf,ptrace|eventfd|waitid|wait4|populate PROGRAM [ARGUMENTS]\n");
    return 64;
  }
  // For a call that is not refused: a number that no system call has.
  enum { NO_CALL = 0x3fffffff, POPULATE_WRITE = 23 };
  unsigned perf = strstr(arguments[1], "perf") ? SYS_perf_event_open : NO_CALL;
  unsigned trace = strstr(arguments[1], "ptrace") ? SYS_ptrace : NO_CALL;
  unsigned event = strstr(arguments[1], "eventfd") ? SYS_eventfd2 : NO_CALL;
  unsigned waitid = strstr(arguments[1], "waitid") ? SYS_waitid : NO_CALL;
  unsigned wait4 = strstr(arguments[1], "wait4") ? SYS_wait4 : NO_CALL;
  unsigned advise = strstr(arguments[1], "populate") ? SYS_madvise : NO_CALL;
  struct sock_filter instructions[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 0, 9),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, perf, 8, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, trace, 7, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, event, 6, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, waitid, 5, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wait4, 4, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, advise, 0, 2),
    // Both machines are little-endian.
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, POPULATE_WRITE, 2, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
  };
  struct sock_fprog filter = {sizeof instructions / sizeof instructions[0], instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("restricted");
    return 69;
  }
  execvp(arguments[2], arguments + 2);
  perror(arguments[2]);
  return 127;
}
