// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_spool_owner.h"

#include "lr_recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Reads the id, the state and the start of a process: proc(5), /proc/pid/stat, fields 1, 3 and 22. False if there is none.
static bool lr_read_process(const char *path, lr_spool_owner *found, char *state) {
  char text[1024];
  if (lr_read_proc(path, text, sizeof text) == 0) return false;
  const char *letter = lr_stat_field(text, 3), *start = lr_stat_field(text, 22);
  if (letter == NULL || start == NULL) return false;
  *state = *letter;
  found->process = strtoull(text, NULL, 10);
  found->start = strtoull(start, NULL, 10);
  return found->process > 0;
}

/// Two kernels give their namespaces the same numbers (PROC_PID_INIT_INO), so the id of the machine's start is mixed into it
/// (random(4); FNV-1a, Fowler, Noll and Vo). So is the time namespace: the starts that /proc shows are in its time
/// (time_namespaces(7), Linux 5.6). False if it is not known.
static bool lr_own_space(uint64_t *space) {
  struct stat facts;
  if (stat("/proc/self/ns/pid", &facts) != 0) return false;
  char boot[64];
  size_t length = lr_read_proc("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  *space = facts.st_ino;
  if (stat("/proc/self/ns/time", &facts) == 0) *space = (*space ^ facts.st_ino) * UINT64_C(0x100000001b3);
  for (size_t i = 0; i < length; i++) *space = (*space ^ (unsigned char)boot[i]) * UINT64_C(0x100000001b3);
  return true;
}

lr_spool_owner lr_spool_owner_get(void) {
  lr_spool_owner own = {0};
  char state;
  if (!lr_read_process("/proc/self/stat", &own, &state) || !lr_own_space(&own.id_space)) return (lr_spool_owner){0};
  return own;
}

bool lr_is_same_owner(const lr_spool_owner *one, const lr_spool_owner *other) {
  return one->process > 0 && one->process == other->process && one->start == other->start && one->id_space == other->id_space;
}

lr_owner_state lr_owner_state_get(const lr_spool_owner *owner, const lr_spool_owner *own) {
  if (owner->process == 0 || owner->id_space != own->id_space) return LR_OWNER_IS_UNKNOWN;
  char path[64], state;
  snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)owner->process);
  lr_spool_owner found;
  // A process of another user may be hidden from this one (proc(5), hidepid).
  if (!lr_read_process(path, &found, &state))
    return kill((pid_t)owner->process, 0) != 0 && errno == ESRCH ? LR_OWNER_IS_GONE : LR_OWNER_IS_UNKNOWN;
  if (found.start != owner->start) return LR_OWNER_IS_GONE;
  // Z and X: it has ended, and its parent does not know it yet; or only its first thread has ended.
  return state == 'Z' || state == 'X' ? LR_OWNER_IS_UNKNOWN : LR_OWNER_LIVES;
}

size_t lr_owner_write(char *text, const lr_spool_owner *owner) {
  text[0] = 0;
  if (owner->process == 0) return 0;
  return (size_t)snprintf(text, LR_SPOOL_OWNER_TEXT, "%llu-%llu-%llu-", (unsigned long long)owner->process,
                          (unsigned long long)owner->start, (unsigned long long)owner->id_space);
}

const char *lr_owner_read(const char *name, lr_spool_owner *owner) {
  uint64_t *numbers[] = {&owner->process, &owner->start, &owner->id_space};
  const char *at = name;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 20 || at[digits] != '-') {
      *owner = (lr_spool_owner){0};
      return name;
    }
    *numbers[i] = strtoull(at, NULL, 10);
    at += digits + 1;
  }
  return at;
}
#endif
