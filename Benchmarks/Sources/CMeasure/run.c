#define _GNU_SOURCE
#include "CMeasure.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

cm_run cm_run_program(const char *path, char *const arguments[], char *const environment[], const char *output,
                      const char *errors) {
  cm_run run = {0};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, output ? output : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, errors ? errors : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child;
  uint64_t start = cm_monotonic();
  run.error = posix_spawn(&child, path, &files, 0, arguments, environment);
  if (run.error == 0) {
    struct rusage usage;
    while (wait4(child, &run.status, 0, &usage) < 0 && errno == EINTR) {
    }
    run.wall_ns = cm_monotonic() - start;
    run.cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
                 (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
    run.peak_bytes = (uint64_t)usage.ru_maxrss * 1024u;
    run.minor_faults = (uint64_t)usage.ru_minflt;
    run.major_faults = (uint64_t)usage.ru_majflt;
  }
  posix_spawn_file_actions_destroy(&files);
  return run;
}
