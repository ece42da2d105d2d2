// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_spool_bounds.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LR_DROPPED ".dropped"

bool lr_spool_is_record(const char *name) {
  return strlen(name) == LR_NAME_LENGTH && name[13] == '-' && strcmp(name + LR_NAME_LENGTH - 5, ".json") == 0 &&
         strspn(name, "0123456789") == 13 && strspn(name + 14, "0123456789abcdef") == 32;
}

uint64_t lr_spool_read_dropped(int directory) {
  char text[32] = "";
  int file = openat(directory, LR_DROPPED, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  return strtoull(text, NULL, 10);
}

static void lr_count_dropped_records(int directory, uint64_t count) {
  uint64_t dropped = lr_spool_read_dropped(directory) + count;
  int file = openat(directory, LR_DROPPED, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file < 0) return;
  // Always the same number of digits, so that a truncated count never reads as another number.
  char text[32];
  int length = snprintf(text, sizeof text, "%020llu\n", (unsigned long long)dropped);
  ssize_t written = pwrite(file, text, (size_t)length, 0);
  (void)written;
  close(file);
}

typedef struct lr_kept_record {
  char name[LR_NAME_LENGTH + 1];
  /// The clock was wrong when it was written. How old it is, is not known.
  bool is_of_future;
  uint64_t bytes;
} lr_kept_record;

typedef struct lr_contents {
  size_t files, capacity;
  uint64_t bytes;
  lr_kept_record *records;
} lr_contents;

/// Those of the future come before all others: otherwise they would drop each record that is written now.
static int lr_oldest_first(const void *a, const void *b) {
  const lr_kept_record *left = a, *right = b;
  if (left->is_of_future != right->is_of_future) return left->is_of_future ? -1 : 1;
  return strcmp(left->name, right->name);
}

static uint64_t lr_wall_milliseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return UINT64_MAX;
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int lr_note_record(lr_contents *contents, const char *name, uint64_t bytes, uint64_t now) {
  if (contents->files == contents->capacity) {
    size_t capacity = contents->capacity ? 2 * contents->capacity : 64;
    lr_kept_record *records = realloc(contents->records, capacity * sizeof *records);
    if (records == NULL) return ENOMEM;
    contents->records = records;
    contents->capacity = capacity;
  }
  lr_kept_record *record = &contents->records[contents->files++];
  memcpy(record->name, name, LR_NAME_LENGTH + 1);
  record->is_of_future = strtoull(name, NULL, 10) > now;
  record->bytes = bytes;
  contents->bytes += bytes;
  return 0;
}

DIR *lr_spool_entries(int directory) {
  int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy < 0 ? NULL : fdopendir(copy);
  int error = errno;
  if (entries == NULL && copy >= 0) close(copy);
  errno = error;
  return entries;
}

/// The records, the oldest first. The caller frees them, also after an error.
static int lr_look(int directory, lr_contents *contents) {
  DIR *entries = lr_spool_entries(directory);
  if (entries == NULL) return errno;
  int error = 0;
  uint64_t now = lr_wall_milliseconds();
  for (const struct dirent *entry; error == 0 && (entry = readdir(entries));) {
    struct stat facts;
    if (lr_spool_is_record(entry->d_name) && fstatat(directory, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0)
      error = lr_note_record(contents, entry->d_name, (uint64_t)facts.st_size, now);
  }
  closedir(entries);
  if (contents->files > 0) qsort(contents->records, contents->files, sizeof *contents->records, lr_oldest_first);
  return error;
}

int lr_spool_keep_bounds(const lr_spool *spool, int directory, const char *newest) {
  lr_contents contents = {0};
  int error = lr_look(directory, &contents);
  uint64_t files = contents.files, bytes = contents.bytes, dropped = 0;
  for (size_t i = 0; error == 0 && i < contents.files && (files > spool->most_files || bytes > spool->most_bytes); i++) {
    if (strcmp(contents.records[i].name, newest) == 0) continue;
    // If a shipper has taken the record meanwhile, it is not lost.
    if (unlinkat(directory, contents.records[i].name, 0) == 0) dropped++;
    else if (errno != ENOENT) error = errno;
    files--;
    bytes -= contents.records[i].bytes;
  }
  free(contents.records);
  if (dropped > 0) lr_count_dropped_records(directory, dropped);
  return error;
}
#endif
