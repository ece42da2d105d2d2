// A program that is held up in known ways, and knows nothing of us: held-up WHAT [FILE].
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t started;
static volatile int done;

static int64_t cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void work(void) {
  for (int step = 0; step < 20000; step++) sink = sink * 31 + (uint64_t)step;
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

static void read_cold(const char *path) {
  char *block = malloc(1 << 16);
  int file = open(path, O_RDONLY);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  while (read(file, block, 1 << 16) > 0) sink += (uint64_t)block[0];
}

// Two children that spin on the only processor that we have, too.
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

static void *busy_thread(void *argument) {
  outer();
  done = 1;
  return argument;
}

// The same work, while the main thread goes round in its event loop.
static void elsewhere(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, busy_thread, NULL);
  while (!done) poll(NULL, 0, 2);
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  if (strcmp(what, "busy") == 0) outer();
  if (strcmp(what, "sleep") == 0) usleep(50000);
  if (strcmp(what, "lock") == 0) contend();
  if (strcmp(what, "read") == 0 && count > 2) read_cold(arguments[2]);
  if (strcmp(what, "share") == 0) share_processor();
  if (strcmp(what, "elsewhere") == 0) elsewhere();
  return 0;
}
