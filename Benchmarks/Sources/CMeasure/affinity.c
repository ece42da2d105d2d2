// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CMeasure.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static cpu_set_t cm_cpus;

// Before anybody is pinned.
__attribute__((constructor)) static void cm_remember(void) { sched_getaffinity(0, sizeof cm_cpus, &cm_cpus); }

int cm_pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

int cm_last_cpu(void) {
  for (int cpu = CPU_SETSIZE - 1; cpu > 0; cpu--)
    if (CPU_ISSET(cpu, &cm_cpus)) return cpu;
  return 0;
}

int cm_cpu_count(void) { return CPU_COUNT(&cm_cpus); }

void cm_touch_memory(uint64_t bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory != MAP_FAILED) munmap(memory, bytes);
}

int32_t cm_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

void cm_unpin_threads(const char *name) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return;
  for (struct dirent *entry; (entry = readdir(threads));) {
    int thread = atoi(entry->d_name);
    char path[64], found[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    FILE *file = thread > 0 ? fopen(path, "r") : NULL;
    if (file == NULL) continue;
    if (fgets(found, sizeof found, file)) found[strcspn(found, "\n")] = 0;
    fclose(file);
    if (strcmp(found, name) == 0) sched_setaffinity(thread, sizeof cm_cpus, &cm_cpus);
  }
  closedir(threads);
}

void cm_meet(cm_meeting *meeting, uint32_t threads) {
  uint32_t turn = __atomic_load_n(&meeting->turn, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == threads) {
    __atomic_store_n(&meeting->arrived, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meeting->turn, turn + 1, __ATOMIC_RELEASE);
    return;
  }
  for (int i = 0; __atomic_load_n(&meeting->turn, __ATOMIC_ACQUIRE) == turn; i++)
    if (i > 10000) sched_yield();
}
