// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <stddef.h>
#include <sys/syscall.h>

// Calls in which a thread may wait for long. Numbers differ between machines, and arm64 has only the newer calls.
static const lo_system_call_form forms[] = {
  {SYS_futex, "futex", -1, -1},
  {SYS_read, "read", 0, -1},
  {SYS_pread64, "pread64", 0, -1},
  {SYS_readv, "readv", 0, -1},
  {SYS_preadv, "preadv", 0, -1},
  {SYS_write, "write", 0, -1},
  {SYS_pwrite64, "pwrite64", 0, -1},
  {SYS_writev, "writev", 0, -1},
  {SYS_recvfrom, "recvfrom", 0, -1},
  {SYS_recvmsg, "recvmsg", 0, -1},
  {SYS_sendto, "sendto", 0, -1},
  {SYS_sendmsg, "sendmsg", 0, -1},
  {SYS_connect, "connect", 0, -1},
  {SYS_accept, "accept", 0, -1},
  {SYS_accept4, "accept4", 0, -1},
  {SYS_fsync, "fsync", 0, -1},
  {SYS_fdatasync, "fdatasync", 0, -1},
  {SYS_flock, "flock", 0, -1},
  {SYS_fcntl, "fcntl", 0, -1},
  {SYS_ioctl, "ioctl", 0, -1},
  {SYS_getdents64, "getdents64", 0, -1},
  {SYS_fallocate, "fallocate", 0, -1},
  {SYS_sendfile, "sendfile", 1, -1},
  {SYS_copy_file_range, "copy_file_range", 0, -1},
  {SYS_epoll_pwait, "epoll_pwait", 0, -1},
  {SYS_ppoll, "ppoll", -1, -1},
  {SYS_pselect6, "pselect6", -1, -1},
  {SYS_nanosleep, "nanosleep", -1, -1},
  {SYS_clock_nanosleep, "clock_nanosleep", -1, -1},
  {SYS_wait4, "wait4", -1, -1},
  {SYS_waitid, "waitid", -1, -1},
  {SYS_rt_sigsuspend, "rt_sigsuspend", -1, -1},
  {SYS_rt_sigtimedwait, "rt_sigtimedwait", -1, -1},
  {SYS_restart_syscall, "restart_syscall", -1, -1},
  {SYS_mmap, "mmap", 4, -1},
  {SYS_munmap, "munmap", -1, -1},
  {SYS_msync, "msync", -1, -1},
  {SYS_madvise, "madvise", -1, -1},
  {SYS_mprotect, "mprotect", -1, -1},
  {SYS_execve, "execve", -1, 0},
  {SYS_clone, "clone", -1, -1},
  {SYS_openat, "openat", -1, 1},
  {SYS_newfstatat, "newfstatat", -1, 1},
  {SYS_statx, "statx", -1, 1},
  {SYS_unlinkat, "unlinkat", -1, 1},
  {SYS_mkdirat, "mkdirat", -1, 1},
  {SYS_readlinkat, "readlinkat", -1, 1},
  {SYS_faccessat, "faccessat", -1, 1},
#ifdef SYS_open
  {SYS_open, "open", -1, 0},
  {SYS_stat, "stat", -1, 0},
  {SYS_lstat, "lstat", -1, 0},
  {SYS_access, "access", -1, 0},
  {SYS_unlink, "unlink", -1, 0},
  {SYS_rename, "rename", -1, 0},
  {SYS_mkdir, "mkdir", -1, 0},
  {SYS_readlink, "readlink", -1, 0},
  {SYS_poll, "poll", -1, -1},
  {SYS_select, "select", -1, -1},
  {SYS_epoll_wait, "epoll_wait", 0, -1},
  {SYS_pause, "pause", -1, -1},
  {SYS_vfork, "vfork", -1, -1},
#endif
#ifdef SYS_io_uring_enter
  {SYS_io_uring_enter, "io_uring_enter", 0, -1},
#endif
#ifdef SYS_clone3
  {SYS_clone3, "clone3", -1, -1},
#endif
};

const lo_system_call_form *lo_system_call_named(long number) {
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    if (forms[i].number == number) return &forms[i];
  return NULL;
}
