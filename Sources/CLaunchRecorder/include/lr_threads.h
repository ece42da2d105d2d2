// SPDX-License-Identifier: Apache-2.0

// The threads of the recorder.
#ifndef LR_THREADS_H
#define LR_THREADS_H

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>

/// Blocks the calling thread's signals while it makes a thread of the recorder: the program's signals belong to the
/// program's threads. `before` gets the signals that were blocked, for pthread_sigmask(3) afterwards.
///
/// As in libdispatch's threads, some signals stay as they are. Faults, so that the program's crash handler also runs for
/// a fault of a callback. SIGPROF, with which profilers ask threads, and Swift's runtime stops them for a backtrace.
static inline void lr_block_signals(sigset_t *before) {
  sigset_t most;
  sigfillset(&most);
  sigdelset(&most, SIGILL);
  sigdelset(&most, SIGTRAP);
  sigdelset(&most, SIGFPE);
  sigdelset(&most, SIGBUS);
  sigdelset(&most, SIGSEGV);
  sigdelset(&most, SIGSYS);
  sigdelset(&most, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &most, before);
}
#endif

#endif
