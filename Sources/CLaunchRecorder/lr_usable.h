// SPDX-License-Identifier: Apache-2.0

// The processors and the memory that this process may use. A container, a service or taskset(1) may have less than the machine.
// Also used by the observer: both must name one machine the same.
#ifndef LR_USABLE_H
#define LR_USABLE_H

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct lr_usable {
  /// At least 1.
  uint32_t processors;
  /// Bytes; 0 if the system does not say.
  uint64_t memory;
} lr_usable;

/// Returns false if the file cannot be read. The text is cut to `size`, and NUL-terminated.
static inline bool lr_read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read(file, text, size - 1) : -1;
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

/// A part of a processor counts as one.
static inline void lr_limit_processors(lr_usable *usable, long long quota, long long period) {
  if (quota <= 0 || period <= 0) return;
  unsigned long long most = (unsigned long long)(quota / period) + (quota % period != 0);
  if (most < usable->processors) usable->processors = (uint32_t)most;
}

static inline void lr_limit_memory(lr_usable *usable, unsigned long long most) {
  if (most > 0 && (usable->memory == 0 || most < usable->memory)) usable->memory = most;
}

/// The limits of one group: `cpu.max` and `memory.max`, or the files of version 1. "max" and -1 mean no limit.
static inline void lr_limit_by_group(lr_usable *usable, const char *group) {
  char path[4096], text[64];
  long long quota = 0, period = 0;
  snprintf(path, sizeof path, "%s/cpu.max", group);
  if (lr_read_text(path, text, sizeof text) && sscanf(text, "%lld %lld", &quota, &period) == 2)
    lr_limit_processors(usable, quota, period);
  snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", group);
  if (lr_read_text(path, text, sizeof text)) {
    quota = strtoll(text, NULL, 10);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", group);
    if (lr_read_text(path, text, sizeof text)) lr_limit_processors(usable, quota, strtoll(text, NULL, 10));
  }
  const char *const names[] = {"memory.max", "memory.limit_in_bytes"};
  for (int version = 0; version < 2; version++) {
    snprintf(path, sizeof path, "%s/%s", group, names[version]);
    if (lr_read_text(path, text, sizeof text)) lr_limit_memory(usable, strtoull(text, NULL, 10));
  }
}

static inline bool lr_has_controller(const char *controllers, const char *name) {
  size_t length = strlen(name);
  for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
  }
  return false;
}

/// The limits of a group and of those above it. In a container, the path may be one that only the host has. The container then
/// sees its own group as the root.
static inline void lr_limit_by_groups_above(lr_usable *usable, const char *mount, const char *path) {
  char group[4096];
  int length = snprintf(group, sizeof group, "%s%s", mount, path);
  if (length < 0 || (size_t)length >= sizeof group) return;
  size_t root = strlen(mount);
  for (size_t end = (size_t)length; end > root; end--) {
    if (group[end] != '/' && group[end] != 0) continue;
    group[end] = 0;
    if (group[end - 1] != '/') lr_limit_by_group(usable, group);
  }
  group[root] = 0;
  lr_limit_by_group(usable, group);
}

/// Lowers `usable` to the limits of control groups (cgroups(7)).
///
/// - Parameters:
///   - groups: the text of /proc/self/cgroup, which is changed.
///   - root: where control groups are mounted.
static inline void lr_limit_by_control_groups(lr_usable *usable, char *groups, const char *root) {
  char mount[256];
  for (char *line = groups, *next; line != NULL && *line != 0; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) *next++ = 0;
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL) continue;
    controllers++;
    *path++ = 0;
    // Version 2 names no controllers.
    if (*controllers == 0) snprintf(mount, sizeof mount, "%s", root);
    else if (lr_has_controller(controllers, "cpu") || lr_has_controller(controllers, "memory"))
      snprintf(mount, sizeof mount, "%s/%s", root, controllers);
    else continue;
    lr_limit_by_groups_above(usable, mount, path);
  }
}

/// What this process may use now. Takes some tens of microseconds.
static inline lr_usable lr_usable_get(void) {
  lr_usable usable = {1, 0};
  long online = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (online > 0) usable.processors = (uint32_t)online;
  if (pages > 0 && page > 0) usable.memory = (uint64_t)pages * (uint64_t)page;
  // Room for 8,192 processors: the kernel refuses less than it may have.
  unsigned long allowed[8192 / (8 * sizeof(unsigned long))] = {0};
  if (sched_getaffinity(0, sizeof allowed, (cpu_set_t *)allowed) == 0) {
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) count += (uint32_t)__builtin_popcountl(allowed[i]);
    if (count > 0 && count < usable.processors) usable.processors = count;
  }
  char groups[4096];
  if (lr_read_text("/proc/self/cgroup", groups, sizeof groups))
    lr_limit_by_control_groups(&usable, groups, "/sys/fs/cgroup");
  return usable;
}

#endif
