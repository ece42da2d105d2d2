// SPDX-License-Identifier: Apache-2.0

// restricted CALLS PROGRAM [ARGUMENTS…]: executes a program for which the kernel refuses some system calls. CALLS has their
// names in `refused`, separated by commas: those that a container's seccomp profile or an old kernel refuses.
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

/// For a call that is refused whatever its advice is.
#define ANY 0xffffffffu

static const struct {
  const char *name;
  unsigned call;
  /// The third argument of madvise(2).
  unsigned advice;
  unsigned error;
} refused[] = {
    {"perf", SYS_perf_event_open, ANY, EPERM}, {"ptrace", SYS_ptrace, ANY, EPERM},     {"eventfd", SYS_eventfd2, ANY, EPERM},
    {"waitid", SYS_waitid, ANY, EPERM},        {"wait4", SYS_wait4, ANY, EPERM},       {"memfd", SYS_memfd_create, ANY, EPERM},
    {"pidfd", SYS_pidfd_open, ANY, EPERM},     {"close-range", SYS_close_range, ANY, ENOSYS},
    // MADV_POPULATE_WRITE of Linux 5.14, and MADV_WIPEONFORK of Linux 4.14.
    {"populate", SYS_madvise, 23, EINVAL},     {"wipe-on-fork", SYS_madvise, 18, EINVAL},
    // As NFS before 4.2.
    {"fallocate", SYS_fallocate, ANY, EOPNOTSUPP},
};
#define REFUSED (sizeof refused / sizeof refused[0])

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: restricted CALLS PROGRAM [ARGUMENTS]\n");
    return 64;
  }
  // Both machines are little-endian.
  const unsigned third = offsetof(struct seccomp_data, args[2]);
  struct sock_filter instructions[4 + 5 * REFUSED] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  unsigned short length = 3;
  for (size_t i = 0; i < REFUSED; i++) {
    if (strstr(arguments[1], refused[i].name) == NULL) continue;
    const struct sock_filter block[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i].call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, third),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i].advice, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | refused[i].error),
    };
    memcpy(instructions + length, block, sizeof block);
    // Without a condition: the next instruction, whatever the argument is.
    if (refused[i].advice == ANY) instructions[length + 3].jf = 0;
    length += sizeof block / sizeof block[0];
  }
  instructions[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {length, instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("restricted");
    return 69;
  }
  execvp(arguments[2], arguments + 2);
  perror(arguments[2]);
  return 127;
}
