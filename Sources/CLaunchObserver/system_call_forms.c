// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <stddef.h>
#include <sys/syscall.h>

// Numbers differ between machines, and arm64 has only the newer calls.
static const lo_system_call_form forms[] = {
  {SYS_read, 0, -1},
  {SYS_pread64, 0, -1},
  {SYS_readv, 0, -1},
  {SYS_preadv, 0, -1},
  {SYS_write, 0, -1},
  {SYS_pwrite64, 0, -1},
  {SYS_writev, 0, -1},
  {SYS_recvfrom, 0, -1},
  {SYS_recvmsg, 0, -1},
  {SYS_sendto, 0, -1},
  {SYS_sendmsg, 0, -1},
  {SYS_connect, 0, -1},
  {SYS_accept, 0, -1},
  {SYS_accept4, 0, -1},
  {SYS_fsync, 0, -1},
  {SYS_fdatasync, 0, -1},
  {SYS_flock, 0, -1},
  {SYS_fcntl, 0, -1},
  {SYS_ioctl, 0, -1},
  {SYS_getdents64, 0, -1},
  {SYS_fallocate, 0, -1},
  {SYS_sendfile, 1, -1},
  {SYS_copy_file_range, 0, -1},
  {SYS_epoll_pwait, 0, -1},
  {SYS_mmap, 4, -1},
  {SYS_execve, -1, 0},
  {SYS_openat, -1, 1},
  {SYS_newfstatat, -1, 1},
  {SYS_statx, -1, 1},
  {SYS_unlinkat, -1, 1},
  {SYS_mkdirat, -1, 1},
  {SYS_readlinkat, -1, 1},
  {SYS_faccessat, -1, 1},
#ifdef SYS_open
  {SYS_open, -1, 0},
  {SYS_stat, -1, 0},
  {SYS_lstat, -1, 0},
  {SYS_access, -1, 0},
  {SYS_unlink, -1, 0},
  {SYS_rename, -1, 0},
  {SYS_mkdir, -1, 0},
  {SYS_readlink, -1, 0},
  {SYS_epoll_wait, 0, -1},
#endif
#ifdef SYS_io_uring_enter
  {SYS_io_uring_enter, 0, -1},
#endif
};

const lo_system_call_form *lo_system_call_of_file(long number) {
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    if (forms[i].number == number) return &forms[i];
  return NULL;
}
