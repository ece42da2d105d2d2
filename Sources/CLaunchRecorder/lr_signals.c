// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "CLaunchRecorder.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SIGNALS = 65 };
/// A second signal that comes sooner may be the same wish: service managers send SIGHUP right after SIGTERM. ns.
static const long long lr_signal_patience = 1000000000;

/// Where a signal's number goes. The program may close descriptors that it does not know (closefrom(3)), and this one may
/// then be another file.
typedef struct lr_signal_reader {
  /// Plus one; 0 for none.
  atomic_int descriptor;
  _Atomic(dev_t) device;
  _Atomic(ino_t) file;
} lr_signal_reader;

static lr_signal_reader lr_signal_readers[MOST_SIGNALS];
/// The process that reads them. A fork inherits the handler and the descriptor.
static atomic_int lr_signal_process;
/// When the first signal came that asks the program to end and is not read yet, ns; 0 for none.
static atomic_llong lr_signal_unread;

/// Whether the default action of a signal ends the process, signal(7).
static bool lr_signal_ends(int number) {
  static const int others[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (others[i] == number) return false;
  return true;
}

static void lr_signal_tell(int number);

/// Whether another thread has restored the program's own action meanwhile.
static bool lr_signal_is_released(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && now.sa_handler != lr_signal_tell;
}

/// The signal's default action, or the program's own, once the handler has returned.
static void lr_signal_default(int number) {
  if (!lr_signal_is_released(number)) {
    lr_terminal_give_back();
    // The kernel keeps such signals from the first process of a container.
    if (getpid() == 1 && lr_signal_ends(number)) _exit(128 + number);
    signal(number, SIG_DFL);
  }
  raise(number);
}

/// Whether the program has not read an earlier signal that asked it to end: it hangs, and the user asks again.
static bool lr_signal_is_repeated(int number) {
  if (number != SIGTERM && number != SIGINT && number != SIGHUP) return false;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  long long now = time.tv_sec * 1000000000LL + time.tv_nsec, earlier = 0;
  return !atomic_compare_exchange_strong(&lr_signal_unread, &earlier, now) && now - earlier > lr_signal_patience;
}

/// False if no reader gets the byte, because the program has closed the descriptor.
static bool lr_signal_write(lr_signal_reader *reader, unsigned char byte) {
  int descriptor = atomic_load(&reader->descriptor) - 1;
  struct stat facts;
  if (fstat(descriptor, &facts) != 0) return false;
  if (facts.st_dev != atomic_load(&reader->device) || facts.st_ino != atomic_load(&reader->file)) return false;
  // If the descriptor is full, many signals are already announced, and the reader handles each once.
  return write(descriptor, &byte, 1) == 1 || errno == EAGAIN;
}

// Async-signal-safe. Runs on whichever thread gets the signal. Without a reader, it is the handler that a fork inherited.
static void lr_signal_tell(int number) {
  int saved = errno;
  bool is_own = getpid() == atomic_load(&lr_signal_process);
  lr_signal_reader *reader = &lr_signal_readers[number];
  bool has_reader = is_own && atomic_load(&reader->descriptor) > 0;
  bool is_lost = has_reader && !lr_signal_write(reader, (unsigned char)number) && lr_signal_ends(number);
  if (!has_reader || is_lost || lr_signal_is_repeated(number)) lr_signal_default(number);
  errno = saved;
}

/// Makes this process the one that reads. What the parent's reader left in a fork says nothing about this one.
static void lr_signal_own(void) {
  if (atomic_load(&lr_signal_process) == getpid()) return;
  for (int number = 0; number < MOST_SIGNALS; number++) atomic_store(&lr_signal_readers[number].descriptor, 0);
  atomic_store(&lr_signal_unread, 0);
  atomic_store(&lr_signal_process, getpid());
}

bool lr_signal_catch(int number, int descriptor, struct sigaction *former) {
  struct stat facts;
  if (number <= 0 || number >= MOST_SIGNALS || sigaction(number, NULL, former) != 0) return false;
  if (fstat(descriptor, &facts) != 0) return false;
  // The parent wants the signal ignored (nohup).
  if (former->sa_handler == SIG_IGN) return false;
  lr_signal_own();
  atomic_store(&lr_signal_readers[number].device, facts.st_dev);
  atomic_store(&lr_signal_readers[number].file, facts.st_ino);
  atomic_store(&lr_signal_readers[number].descriptor, descriptor + 1);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = lr_signal_tell;
  // The signal must not interrupt the program's own system calls. It always interrupts poll(2).
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL) == 0;
}

void lr_signal_read(void) { atomic_store(&lr_signal_unread, 0); }

void lr_signal_release(int number, const struct sigaction *former) {
  sigaction(number, former, NULL);
  atomic_store(&lr_signal_unread, 0);
  atomic_store(&lr_signal_readers[number].descriptor, 0);
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
