// A directory of launch records that wait to be sent: docs/telemetry.md. A file a launch, made whole by a rename; beyond its
// bounds the oldest go, and are counted.
#ifndef LR_SPOOL_H
#define LR_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lr_spool {
  const char *directory;
  /// How many records there may be, and how many bytes they may have.
  uint64_t most_files, most_bytes;
} lr_spool;

/// A record of 32 digits `id` of a launch that began at `milliseconds` since 1970.
typedef struct lr_spool_record {
  uint64_t milliseconds;
  const char *id;
  const char *line;
  size_t length;
} lr_spool_record;

/// Puts a record into the spool. It takes the place of the provisional one of this process. Returns 0 or an errno; EFBIG: the
/// record is larger than the spool may be.
int lr_spool_add(const lr_spool *spool, const lr_spool_record *record);
/// Keeps a record that counts if the process ends before it adds one. Does nothing if it has. Returns 0 or an errno.
int lr_spool_add_provisional(const lr_spool *spool, const lr_spool_record *record);
/// Takes the provisional record of this process out: it needs none, now or later.
void lr_spool_remove_provisional(void);
/// How many records were dropped since the spool was made.
uint64_t lr_spool_dropped(const char *directory);

/// Calls `work` on a thread of its own, which the process's exit waits for a little. False: there is no thread to have.
bool lr_background(void (*work)(void *context), void *context);

#endif
