// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts `path` with the given standard streams, in `directory` (NULL: ours), and no other descriptor of ours.
/// Returns 0 or an errno. In C because Glibc's module hides the calls that end in _np.
int ct_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
             const int streams[3]);

/// Two descriptors that are not inherited. Returns 0 or an errno.
int ct_pipe(int ends[2]);

/// A descriptor that poll(2) finds readable once the process has ended, or -1. In C because Glibc's module lacks this call.
int ct_open_process(pid_t pid);

/// Adds one, after everything before it in program order: what a killed program had done, for whoever shares the page.
static inline void ct_count(volatile unsigned long *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST); }

/// fork(2), which Swift does not offer. Only for a process with one thread.
pid_t ct_fork(void);

/// The kernel's id of the calling thread.
pid_t ct_thread_id(void);

/// Keeps the calling thread, and those that it makes from now on, on its present processor; or, with false, gives the calling
/// thread the others back. In C because Glibc's module hides these calls.
void ct_keep_on_one_processor(bool keep);

/// Copies `size` bytes (a multiple of eight), one word after the other from front to back. A plain block copy may read cache
/// lines in any order.
void ct_copy_in_order(void *to, const void *from, size_t size);

/// True when this process may open perf events with hardware breakpoints.
bool ct_may_observe(void);

/// Makes an epoll(7) file with one timer in it, which expires after `seconds`, or is not armed if that is 0. Returns 0 or an errno.
/// In C because Glibc's module has no timers of this kind.
int ct_make_timer(long seconds, int *timer, int *events);
