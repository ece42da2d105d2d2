// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t nanoseconds(struct timeval t) {
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

void lo_poll_child(pid_t pid, lo_status *status) {
  int code = 0;
  struct rusage usage;
  *status = (lo_status){.state = LO_RUNNING};
  pid_t found = wait4(pid, &code, WNOHANG | WUNTRACED, &usage);
  if (found < 0) {
    status->state = errno == EINTR ? LO_RUNNING : LO_GONE;
    if (errno != ECHILD) status->code = errno;
    return;
  }
  if (found == 0) return;
  if (WIFSTOPPED(code)) {
    status->state = LO_STOPPED;
    status->code = WSTOPSIG(code);
    status->event = code >> 16;
    return;
  }
  status->exit_ns = lo_now();
  status->state = WIFSIGNALED(code) ? LO_SIGNALLED : LO_EXITED;
  status->code = WIFSIGNALED(code) ? WTERMSIG(code) : WEXITSTATUS(code);
  status->user_ns = nanoseconds(usage.ru_utime);
  status->system_ns = nanoseconds(usage.ru_stime);
  status->max_rss_bytes = (uint64_t)usage.ru_maxrss * 1024u;
  status->minor_faults = (uint64_t)usage.ru_minflt;
  status->major_faults = (uint64_t)usage.ru_majflt;
  status->voluntary_switches = (uint64_t)usage.ru_nvcsw;
  status->involuntary_switches = (uint64_t)usage.ru_nivcsw;
  // getrusage(2): in blocks of 512 bytes.
  status->read_bytes = (uint64_t)usage.ru_inblock * 512u;
}

pid_t lo_ended_child(void) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

bool lo_sees_processes(void) {
  char own[16] = "";
  return readlink("/proc/self", own, sizeof own - 1) > 0 && atoi(own) == (int)getpid();
}

int lo_set_subreaper(bool on) { return prctl(PR_SET_CHILD_SUBREAPER, on ? 1ul : 0ul, 0ul, 0ul, 0ul) == 0 ? 0 : errno; }

int lo_signal_process(int pidfd, int signal) {
#ifdef SYS_pidfd_send_signal
  return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) == 0 ? 0 : errno;
#else
  (void)pidfd, (void)signal;
  return ENOSYS;
#endif
}

int lo_open_process(pid_t pid) {
#ifdef SYS_pidfd_open
  int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  return descriptor >= 0 ? descriptor : -errno;
#else
  (void)pid;
  return -ENOSYS;
#endif
}

char *const *lo_environment(void) { return environ; }

int lo_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? NULL : &time, NULL);
}

int lo_wake_open(void) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return descriptor >= 0 ? descriptor : -errno;
}

void lo_wake(int descriptor) { eventfd_write(descriptor, 1); }

void lo_wake_clear(int descriptor) {
  eventfd_t count;
  eventfd_read(descriptor, &count);
}
