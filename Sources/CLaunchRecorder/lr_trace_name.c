// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_trace_name.h"
#include "lr_recorder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LR_MOST_TRIES 16
/// The name itself, and those with a number.
#define LR_MOST_NAMES 99u

/// `path` with a mark and a number inserted at `at`, in a buffer of PATH_MAX. (Not by snprintf: its first use costs
/// tens of microseconds.)
static int lr_insert_number(char *out, const char *path, size_t at, char mark, uint64_t number) {
  size_t length = strlen(path);
  if (length + 24 > PATH_MAX) return ENAMETOOLONG;
  memcpy(out, path, at);
  out[at] = mark;
  size_t digits = lr_decimal(out + at + 1, number);
  memcpy(out + at + 1 + digits, path + at, length - at + 1);
  return 0;
}

/// `path` with `-number` before its extension; `path` itself for number 1.
static int lr_numbered(char *out, const char *path, uint64_t number) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.'), *end = path + strlen(path);
  if (dot == NULL || (slash && dot < slash)) dot = end;
  if (number > 1) return lr_insert_number(out, path, (size_t)(dot - path), '-', number);
  if (end - path >= PATH_MAX) return ENAMETOOLONG;
  memcpy(out, path, (size_t)(end - path) + 1);
  return 0;
}

/// Takes a name that must not exist yet with an empty file, and replaces that file. For a moment readers find it, as an empty trace.
static int lr_claim_name(const char *temporary, const char *name) {
  int claim = lr_open_file(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (claim < 0) return errno;
  close(claim);
  if (rename(temporary, name) == 0) return 0;
  int error = errno;
  unlink(name);
  return error;
}

/// Gives the prepared file its name, which must not exist yet.
static int lr_name_file(const char *temporary, const char *name) {
#if defined(SYS_renameat2)
  if (lr_system(SYS_renameat2, AT_FDCWD, (long)temporary, AT_FDCWD, (long)name, 1 /* RENAME_NOREPLACE */, 0) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (link(temporary, name) == 0) {
    unlink(temporary);
    return 0;
  }
  // File systems without hard links, such as shared folders of VirtualBox: link(2).
  bool has_links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
  return has_links ? errno : lr_claim_name(temporary, name);
}

int lr_absolute(char *out, const char *path) {
  size_t length = strlen(path), before = 0;
  if (length == 0) return ENOENT;
  if (path[0] != '/') {
    if (getcwd(out, PATH_MAX) == NULL) return errno;
    before = strlen(out);
    out[before++] = '/';
  }
  if (before + length >= PATH_MAX) return ENAMETOOLONG;
  memcpy(out + before, path, length + 1);
  return 0;
}

int lr_trace_name_expand(char *path, const char *pattern) {
  size_t length = 0;
  if (*pattern == 0) return ENOENT;
  while (*pattern && length + 16 < PATH_MAX) {
    if (strncmp(pattern, "{pid}", 5) == 0) {
      length += lr_decimal(path + length, (uint64_t)lr_current_process());
      pattern += 5;
    } else {
      path[length++] = *pattern++;
    }
  }
  path[length] = 0;
  return *pattern ? ENAMETOOLONG : 0;
}

int lr_trace_name_open(const char *path, char *temporary) {
  char whole[PATH_MAX];
  if ((errno = lr_absolute(whole, path))) return -1;
  uint64_t number = (uint64_t)lr_current_process();
  for (int tries = 0; tries < LR_MOST_TRIES; tries++) {
    if ((errno = lr_insert_number(temporary, whole, strlen(whole), '~', number))) return -1;
    int descriptor = lr_open_file(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
    // Another container may have a process with the same id, and write there now. Or a killed process left the file.
    number = lr_clock_ask(CLOCK_REALTIME);
  }
  return -1;
}

static bool lr_is_directory(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

int lr_trace_name_find(const char *path) {
  char whole[PATH_MAX], own[PATH_MAX];
  struct stat facts;
  int error = lr_absolute(whole, path);
  if (error == 0 && lr_is_directory(whole)) error = EISDIR;
  for (uint64_t number = 1; error == 0 && number <= LR_MOST_NAMES; number++) {
    error = lr_numbered(own, whole, number);
    if (error == 0 && lstat(own, &facts) != 0) return 0;
  }
  return error ? error : EEXIST;
}

int lr_trace_name_give(char *name, const char *path) {
  char whole[PATH_MAX], own[PATH_MAX];
  int error = lr_absolute(whole, path);
  if (error) return error;
  error = EEXIST;
  for (uint64_t number = 1; error == EEXIST && number <= LR_MOST_NAMES; number++) {
    error = lr_numbered(own, whole, number);
    if (error == 0) error = lr_name_file(name, own);
    // A number would make a file beside the directory, or one whose name begins with `-`.
    if (error == EEXIST && number == 1 && lr_is_directory(whole)) return EISDIR;
  }
  if (error == 0) memcpy(name, own, strlen(own) + 1);
  return error;
}
#endif
