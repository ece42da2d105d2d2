// SPDX-License-Identifier: Apache-2.0

// starting-program CASE [TRACE]: starts to record by itself, in a way that few programs do. Prints what a test needs to
// know, one fact a line.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CLaunchRecorder.h"

static char **arguments;

/// Starts to record into `path`, or into memory. The errno, 0 if recording has begun.
static int start(const char *path) {
  lr_options options = {.path = path};
  return lr_start(&options) == LR_STARTED ? 0 : lr_status_errno();
}

/// The path of the trace, relative to the directory.
static void print_path(void) {
  const char *path = lr_trace_path(), *slash = path ? strrchr(path, '/') : NULL;
  printf("%s\n", slash ? slash + 1 : "no trace");
}

/// Prints its process id and the name of the trace.
static int start_plainly(const char *path) {
  int error = start(path);
  printf("%d\n", (int)getpid());
  print_path();
  return error;
}

/// As gtk_init(3) does with the options that it knows.
static int start_without_option(const char *path) {
  arguments[3] = NULL;
  return start(path);
}

static void *start_on_thread(void *path) {
  // The main thread must not get this name.
  pthread_setname_np(pthread_self(), "starter");
  return (void *)(long)start(path);
}

/// Starts on another thread, as an async `main` may do. Then the main thread records an event.
static int start_on_other_thread(const char *path) {
  pthread_t thread;
  void *error = NULL;
  if (pthread_create(&thread, NULL, start_on_thread, (void *)path) != 0 || pthread_join(thread, &error) != 0) return 1;
  lr_event(lr_category_make("test", 4, "main", 4), "event");
  return (int)(long)error;
}

/// unsetenv(3) moves the variables after it, so that two NULLs end the environment.
static int start_without_variable(const char *path) {
  unsetenv("LAUNCHPROF_TEST_FIRST");
  int error = start(path);
  printf("%s\n", lr_is_unredacted() ? "unredacted" : "redacted");
  return error;
}

/// The file that a process with the same id has, in another container: it stays as it is.
static int start_beside_another(const char *path) {
  char other[4096], text[8] = "";
  snprintf(other, sizeof other, "%s~%d", path, (int)getpid());
  FILE *file = fopen(other, "w+");
  if (file == NULL || fputs("other", file) < 0 || fflush(file) != 0) return 1;
  int error = start(path);
  print_path();
  rewind(file);
  bool is_there = access(other, F_OK) == 0 && fgets(text, sizeof text, file) && strcmp(text, "other") == 0;
  printf("%s\n", is_there ? "kept" : "lost");
  return fclose(file) == 0 && unlink(other) == 0 ? error : 1;
}

/// Marks milestones of its own before the one that ends the launch. Prints the last one that the recorder holds.
static int mark_many(const char *path) {
  int error = start(path);
  char name[16];
  for (int i = 1; i <= 100; i++) lr_mark(name, (size_t)snprintf(name, sizeof name, "step-%d", i));
  lr_mark("ready", 5);
  lr_summary_entry entry;
  uint32_t count = 0;
  while (lr_summary_milestone(count, &entry)) count++;
  printf("%u\n%s\n%s\n", count, lr_summary_name(&entry), lr_summary_get().completed ? "complete" : "not complete");
  return error;
}

static void print_completion(void *context) { printf("%s\n", (const char *)context); }

/// Marks a milestone when the trace has no room for any event.
static int mark_when_full(const char *path) {
  lr_options options = {.path = path, .limit = 1 << 16, .completed = print_completion, .context = "completed"};
  if (lr_start(&options) != LR_STARTED) return lr_status_errno();
  const lr_category *category = lr_category_make("test", 4, "full", 4);
  for (int i = 0; i < 10000; i++) lr_event(category, "event");
  uint64_t dropped = lr_summary_get().events_dropped;
  lr_mark("ready", 5);
  lr_summary_entry entry;
  bool is_counted = lr_summary_get().events_dropped > dropped && dropped > 0;
  printf("%s\n%s\n", lr_summary_milestone(0, &entry) ? lr_summary_name(&entry) : "none", is_counted ? "counted" : "lost");
  return 0;
}

/// Marks milestones while no memory can be mapped. Prints those that the recorder holds.
static int mark_without_memory(const char *path) {
  int error = start(path);
  struct rlimit before, none = {0};
  getrlimit(RLIMIT_AS, &before);
  none.rlim_max = before.rlim_max;
  if (setrlimit(RLIMIT_AS, &none) != 0) return 1;
  lr_mark("step", 4);
  lr_mark("ready", 5);
  lr_mark("fully-drawn", 11);
  setrlimit(RLIMIT_AS, &before);
  lr_summary_entry entry;
  for (uint32_t i = 0; lr_summary_milestone(i, &entry); i++) printf("%s\n", lr_summary_name(&entry));
  return error;
}

/// The number of this process's threads.
static int thread_count(void) {
  char line[256];
  int count = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "Threads: %d", &count) != 1) {}
  if (file) fclose(file);
  return count;
}

/// Starts with a deadline that is far away, and waits until the thread that watches the deadline has ended.
static int end_before_deadline(const char *path, bool is_complete) {
  lr_options options = {.path = path, .deadline = 3600u * UINT64_C(1000000000), .completed = print_completion, .context = "completed"};
  int before = thread_count();
  if (lr_start(&options) != LR_STARTED) return lr_status_errno();
  if (thread_count() != before + 1) return 1;
  if (is_complete) lr_mark("ready", 5);
  else lr_stop();
  while (thread_count() != before) usleep(1000);
  return 0;
}

static int complete_before_deadline(const char *path) { return end_before_deadline(path, true); }
static int stop_before_deadline(const char *path) { return end_before_deadline(path, false); }

/// Marks the end of the launch before it starts. With LAUNCHPROF_TRACE, that is the end of a launch which is recorded.
static int mark_before_start(const char *path) {
  lr_mark("ready", 5);
  lr_options options = {.path = path, .completed = print_completion, .context = "completed"};
  return lr_start(&options) == LR_STARTED ? 0 : lr_status_errno();
}

/// Starts in memory if the file cannot be made. Prints the status.
static int start_or_in_memory(const char *path) {
  if (start(path) == 0) return 1;
  int error = start(NULL);
  printf("%s\n", lr_status_get() == LR_STATUS_RECORDING ? "recording" : "not recording");
  return error;
}

static void do_nothing(void *context) { (void)context; }

/// Calls what other threads may call at the same time.
static void use_all(bool is_recorded) {
  static uint8_t trace[1 << 12];
  static int number;
  char name[16];
  int length = snprintf(name, sizeof name, "c%d", __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) % 100);
  lr_category_make(name, (size_t)length, "fork", 4);
  lr_mark("ready", 5);
  lr_defer(0, do_nothing, NULL);
  if (!is_recorded) return;
  size_t size = lr_trace_size();
  lr_trace_copy(trace, size < sizeof trace ? size : sizeof trace);
  lr_summary_get();
  lr_budget_set(LR_BUDGET_PHASE, name, (size_t)length, 1, NULL, NULL, NULL);
  start(NULL);
}

static void *use_all_always(void *path) {
  for (;;) use_all(path != NULL);
  return NULL;
}

/// Forks while other threads use the recorder. Each child uses it, too, and is killed if that hangs.
static int fork_beside_threads(const char *path) {
  if (path && start(path) != 0) return 1;
  pthread_t thread;
  for (int i = 0; i < 2; i++)
    if (pthread_create(&thread, NULL, use_all_always, (void *)path) != 0) return 1;
  for (int i = 0; i < 400; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      use_all(path != NULL);
      _exit(lr_trace_size() == 0 ? 0 : 2);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) _exit(3);
  }
  // The threads still use what exit(3) tears down.
  _exit(0);
}

static const struct {
  const char *name;
  int (*run)(const char *path);
} cases[] = {
    {"plain", start_plainly},
    {"on-thread", start_on_other_thread},
    {"without-option", start_without_option},
    {"without-variable", start_without_variable},
    {"many", mark_many},
    {"beside-another", start_beside_another},
    {"full", mark_when_full},
    {"deadline", complete_before_deadline},
    {"stopped", stop_before_deadline},
    {"before-start", mark_before_start},
    {"or-in-memory", start_or_in_memory},
    {"without-memory", mark_without_memory},
    {"fork", fork_beside_threads},
};

int main(int argc, char **argv) {
  arguments = argv;
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
    if (strcmp(cases[i].name, argv[1]) == 0) return cases[i].run(argc > 2 ? argv[2] : NULL);
  return 64;
}
