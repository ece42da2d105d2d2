// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "CLaunchRecorder.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIGNALS = 65 };

/// The descriptor to write to for each signal, plus one; 0 for none.
static atomic_int lr_signal_readers[MOST_SIGNALS];
/// The process that reads them. A fork inherits the handler and the descriptor.
static atomic_int lr_signal_process;

/// The signal's default action, once the handler has returned.
static void lr_signal_default(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

// Async-signal-safe. Runs on whichever thread gets the signal.
static void lr_signal_tell(int number) {
  int saved = errno;
  bool is_own = getpid() == atomic_load(&lr_signal_process);
  int reader = is_own ? atomic_load(&lr_signal_readers[number]) : 0;
  unsigned char byte = (unsigned char)number;
  // If the descriptor is full, many signals are already announced, and the reader handles each once.
  if (reader > 0) (void)!write(reader - 1, &byte, 1);
  if (!is_own) lr_signal_default(number);
  errno = saved;
}

bool lr_signal_catch(int number, int descriptor, struct sigaction *former) {
  if (number <= 0 || number >= MOST_SIGNALS || sigaction(number, NULL, former) != 0) return false;
  // The parent wants the signal ignored (nohup).
  if (former->sa_handler == SIG_IGN) return false;
  atomic_store(&lr_signal_process, getpid());
  atomic_store(&lr_signal_readers[number], descriptor + 1);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = lr_signal_tell;
  // The signal must not interrupt the program's own system calls. It always interrupts poll(2).
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL) == 0;
}

void lr_signal_release(int number, const struct sigaction *former) {
  sigaction(number, former, NULL);
  atomic_store(&lr_signal_readers[number], 0);
}

void lr_write_quietly(int file, const void *bytes, size_t length) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  // The kernel sends the signal to the thread that writes.
  bool is_broken = write(file, bytes, length) < 0 && errno == EPIPE;
  if (is_broken && !sigismember(&pending, SIGPIPE)) sigtimedwait(&pipe, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
#endif
