// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <stddef.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
// Calls in which a thread may wait for long, and that have the same arguments (arch/x86/entry/syscalls/syscall_32.tbl).
static const struct {
  long number, native;
} calls[] = {
  {3, SYS_read},
  {4, SYS_write},
  {5, SYS_open},
  {7, SYS_wait4}, // waitpid
  {11, SYS_execve},
  {29, SYS_pause},
  {54, SYS_ioctl},
  {114, SYS_wait4},
  {118, SYS_fsync},
  {142, SYS_select},
  {143, SYS_flock},
  {145, SYS_readv},
  {146, SYS_writev},
  {148, SYS_fdatasync},
  {162, SYS_nanosleep},
  {168, SYS_poll},
  {177, SYS_rt_sigtimedwait},
  {179, SYS_rt_sigsuspend},
  {180, SYS_pread64},
  {181, SYS_pwrite64},
  {190, SYS_vfork},
  {220, SYS_getdents64},
  {240, SYS_futex},
  {256, SYS_epoll_wait},
  {267, SYS_clock_nanosleep},
  {284, SYS_waitid},
  {295, SYS_openat},
  {308, SYS_pselect6},
  {309, SYS_ppoll},
  {319, SYS_epoll_pwait},
  {362, SYS_connect},
  {364, SYS_accept4},
  {369, SYS_sendto},
  {370, SYS_sendmsg},
  {371, SYS_recvfrom},
  {372, SYS_recvmsg},
  {383, SYS_statx},
  {407, SYS_clock_nanosleep}, // clock_nanosleep_time64, and so on
  {413, SYS_pselect6},
  {414, SYS_ppoll},
  {421, SYS_rt_sigtimedwait},
  {422, SYS_futex},
};

long lo_system_call_of_32_bits(long number) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (calls[i].number == number) return calls[i].native;
  return -1;
}
#else
long lo_system_call_of_32_bits(long number) {
  (void)number;
  return -1;
}
#endif
