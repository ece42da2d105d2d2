// SPDX-License-Identifier: Apache-2.0

// Which calls a sampled thread sees end with EINTR (signal(7)), and which are restarted.
#include "program.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thread>

namespace {

/// Milliseconds that a call waits at the most: several stacks long.
constexpr int wait = 8;
const timespec waitTime = {0, wait * 1000000};

int ends[2];
int sockets[2];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t semaphore;

timespec deadline() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += wait * 1000000;
  if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
  return time;
}

/// Another thread writes a byte a little later.
template <typename Call> int answered(int descriptor, Call call) {
  std::thread writer([descriptor] {
    nanosleep(&waitTime, nullptr);
    if (write(descriptor, "x", 1) != 1) _exit(2);
  });
  int result = call();
  int error = errno;
  writer.join();
  errno = error;
  return result;
}

struct Case {
  const char *name;
  /// -1 and errno when the call failed.
  int (*call)();
  /// A handler ends it with EINTR, SA_RESTART or not: signal(7).
  bool isNeverRestarted = false;
};

/// EINTR by pthread's and sem's convention, or by the system calls'.
int code(int result) {
  errno = result;
  return result == 0 ? 0 : -1;
}

char byte;
const Case cases[] = {
    {"nanosleep", [] { return nanosleep(&waitTime, nullptr); }, true},
    {"clock_nanosleep", [] { return code(clock_nanosleep(CLOCK_MONOTONIC, 0, &waitTime, nullptr)); }, true},
    {"poll", [] { return poll(nullptr, 0, wait); }, true},
    {"select",
     [] {
       timeval time = {0, wait * 1000};
       return select(0, nullptr, nullptr, nullptr, &time);
     },
     true},
    {"epoll_wait",
     [] {
       static int epoll = epoll_create1(EPOLL_CLOEXEC);
       epoll_event event;
       return epoll_wait(epoll, &event, 1, wait);
     },
     true},
    {"sigtimedwait",
     [] {
       sigset_t none;
       sigemptyset(&none);
       return sigtimedwait(&none, nullptr, &waitTime);
     },
     true},
    {"recv with a timeout",
     [] {
       timeval time = {0, wait * 1000};
       setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
       int result = static_cast<int>(recv(sockets[0], &byte, 1, 0));
       time = {0, 0};
       setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
       return result;
     },
     true},
    {"sem_timedwait",
     [] {
       timespec until = deadline();
       return sem_timedwait(&semaphore, &until);
     }},
    {"futex with a timeout",
     [] {
       static int word = 0;
       return static_cast<int>(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &waitTime, nullptr, 0));
     }},
    {"read from a pipe", [] { return answered(ends[1], [] { return static_cast<int>(read(ends[0], &byte, 1)); }); }},
    {"recv", [] { return answered(sockets[1], [] { return static_cast<int>(recv(sockets[0], &byte, 1, 0)); }); }},
    {"waitpid",
     [] {
       pid_t child = vfork();
       if (child == 0) {
         execl("/bin/sleep", "sleep", "0.008", nullptr);
         _exit(1);
       }
       int result = waitpid(child, nullptr, 0), error = errno;
       if (result < 0) waitpid(child, nullptr, 0);
       errno = error;
       return result;
     }},
    {"pthread_mutex_lock",
     [] {
       pthread_mutex_lock(&mutex);
       std::thread other([] {
         pthread_mutex_lock(&mutex);
         pthread_mutex_unlock(&mutex);
       });
       nanosleep(&waitTime, nullptr);
       pthread_mutex_unlock(&mutex);
       other.join();
       return 0;
     }},
};

/// Milliseconds more, in which a busy machine may interrupt what was not interrupted yet.
constexpr int patience = 60000;

bool areAllInterrupted(const uint64_t *counts) {
  for (const Case &one : cases)
    if (one.isNeverRestarted && counts[&one - cases] == 0) return false;
  return true;
}

}  // namespace

int interruptions(double seconds, bool onlyRunning) {
  if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  sem_init(&semaphore, 0, 0);
  if (!beginSampling(1000, onlyRunning)) return 1;
  uint64_t counts[sizeof cases / sizeof cases[0]] = {}, calls = 0;
  uint64_t end = monotonicTime() + static_cast<uint64_t>(seconds * 1e9);
  uint64_t last = end + (onlyRunning ? 0 : patience * UINT64_C(1000000));
  while (calls == 0 || monotonicTime() < (areAllInterrupted(counts) ? end : last)) {
    for (const Case &one : cases) {
      errno = 0;
      if (one.call() < 0 && errno == EINTR) counts[&one - cases]++;
      // CPU time, so that the timer of that clock fires, too.
      for (uint64_t busy = monotonicTime() + 3000000; monotonicTime() < busy;) {
      }
    }
    calls++;
  }
  endSampling();
  printf("calls %lu\n", calls);
  for (const Case &one : cases) printf("EINTR in %s: %lu\n", one.name, counts[&one - cases]);
  return 0;
}
