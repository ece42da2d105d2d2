// SPDX-License-Identifier: Apache-2.0

// A program without a recorder that is held up in known ways: held-up [elsewhere] WHAT [FILE]. With `elsewhere`,
// another thread is held up, while the main thread runs its event loop.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t started;
static volatile int done;

static int64_t time_on(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}
static int64_t cpu_time(void) { return time_on(CLOCK_THREAD_CPUTIME_ID); }

static void work(void) {
  for (int step = 0; step < 20000; step++) sink = sink * 31 + (uint64_t)step;
}

// As resolver(3) waits for a name server. Nothing is sent, so nothing answers, and no network is needed.
static void look_up_name(void) {
  int socket_of_resolver = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(53)};
  inet_pton(AF_INET, "127.0.0.9", &server.sin_addr);
  if (connect(socket_of_resolver, (struct sockaddr *)&server, sizeof server) != 0) exit(3);
  struct pollfd answer = {.fd = socket_of_resolver, .events = POLLIN};
  poll(&answer, 1, 50);
  close(socket_of_resolver);
}

// 40 ms of the thread's own processor time, three calls below main.
__attribute__((noinline)) static void busy_function(void) {
  int64_t end = cpu_time() + 40000000;
  while (cpu_time() < end) {
    for (int step = 0; step < 20000; step++) sink = sink * 31 + (uint64_t)step;
  }
}
__attribute__((noinline)) static void middle(void) {
  busy_function();
  sink++;
}
__attribute__((noinline)) static void outer(void) {
  middle();
  sink++;
}

static void *hold_lock(void *argument) {
  pthread_setname_np(pthread_self(), "lock-holder");
  pthread_mutex_lock(&lock);
  pthread_barrier_wait(&started);
  usleep(50000);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void contend(void) {
  pthread_t thread;
  pthread_barrier_init(&started, NULL, 2);
  pthread_create(&thread, NULL, hold_lock, NULL);
  pthread_barrier_wait(&started);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
}

// The main thread waits for a condition that another thread signals.
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *signal_condition(void *argument) {
  pthread_setname_np(pthread_self(), "signaller");
  // The lock is free once the main thread has begun to wait.
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  usleep(50000);
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void wait_for_condition(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, signal_condition, NULL);
  while (!done) pthread_cond_wait(&condition, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
}

// The process that writes to the FIFO is not a child of this one.
static void wait_for_writer(const char *path) {
  char byte;
  int file = open(path, O_RDWR);
  if (read(file, &byte, 1) == 1) sink += (uint64_t)byte;
  close(file);
}

// How long this thread was on a processor since the first call, ns, by the kernel's task clock (perf_event_open(2)).
// Time that the host takes from a virtual machine counts, as it does in the switches. CLOCK_THREAD_CPUTIME_ID leaves it
// out, and is used where events are not allowed.
static int64_t running_time(void) {
  static int clock = -1;
  int64_t time;
  if (clock < 0) {
    struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = PERF_COUNT_SW_TASK_CLOCK,
      .exclude_kernel = 1, .exclude_hv = 1
    };
    clock = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  }
  return clock >= 0 && read(clock, &time, sizeof time) == sizeof time ? time : cpu_time();
}

// Prints for how many ns it did not run.
static void read_cold(const char *path) {
  char *block = malloc(1 << 16);
  int file = open(path, O_RDONLY);
  int64_t waited = running_time() - time_on(CLOCK_MONOTONIC);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  while (read(file, block, 1 << 16) > 0) sink += (uint64_t)block[0];
  waited += time_on(CLOCK_MONOTONIC) - running_time();
  printf("%lld\n", (long long)waited);
}

// Two children spin on the only processor that this process has, too.
static void share_processor(void) {
  cpu_set_t one;
  pid_t children[2];
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int child = 0; child < 2; child++) {
    if ((children[child] = fork()) == 0) {
      prctl(PR_SET_NAME, "spinner");
      for (int64_t end = cpu_time() + 60000000; cpu_time() < end;) work();
      _exit(0);
    }
  }
  for (int64_t end = cpu_time() + 40000000; cpu_time() < end;) work();
  for (int child = 0; child < 2; child++) waitpid(children[child], NULL, 0);
}

// The main thread waits for the end of a thread that waits for a lock whose holder works.
static void *wait_for_lock(void *argument) {
  pthread_setname_np(pthread_self(), "middle");
  pthread_barrier_wait(&started);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void *work_with_lock(void *argument) {
  pthread_setname_np(pthread_self(), "lock-holder");
  pthread_mutex_lock(&lock);
  pthread_barrier_wait(&started);
  outer();
  usleep(20000);
  pthread_mutex_unlock(&lock);
  return argument;
}

static void wait_in_a_row(void) {
  pthread_t holder, middle;
  pthread_barrier_init(&started, NULL, 2);
  pthread_create(&holder, NULL, work_with_lock, NULL);
  pthread_create(&middle, NULL, wait_for_lock, NULL);
  pthread_join(middle, NULL);
  pthread_join(holder, NULL);
}

static const char *what = "", *file = "";

static void be_held_up(void) {
  if (strcmp(what, "busy") == 0) outer();
  if (strcmp(what, "sleep") == 0) usleep(50000);
  if (strcmp(what, "lookup") == 0) look_up_name();
  if (strcmp(what, "lock") == 0) contend();
  if (strcmp(what, "chain") == 0) wait_in_a_row();
  if (strcmp(what, "condition") == 0) wait_for_condition();
  if (strcmp(what, "writer") == 0) wait_for_writer(file);
  if (strcmp(what, "read") == 0) read_cold(file);
  if (strcmp(what, "share") == 0) share_processor();
}

static void *other_thread(void *argument) {
  be_held_up();
  done = 1;
  return argument;
}

int main(int count, char **arguments) {
  int isElsewhere = count > 1 && strcmp(arguments[1], "elsewhere") == 0;
  if (count > 1 + isElsewhere) what = arguments[1 + isElsewhere];
  if (count > 2 + isElsewhere) file = arguments[2 + isElsewhere];
  if (!isElsewhere) {
    be_held_up();
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, other_thread, NULL);
  while (!done) poll(NULL, 0, 2);
  return 0;
}
