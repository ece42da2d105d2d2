// SPDX-License-Identifier: Apache-2.0

// A directory of launch records that wait to be sent: docs/telemetry.md. One file per launch, published by a rename.
// Beyond the bounds the oldest records are deleted and counted.
#ifndef LR_SPOOL_H
#define LR_SPOOL_H

#include "lr_declarations.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LR_HIDDEN_BEGIN

typedef struct lr_spool {
  const char *directory;
  /// The bounds: the largest number of records, and of bytes.
  uint64_t most_files, most_bytes;
} lr_spool;

/// The record of a launch that began at `milliseconds` since 1970. `id` has 32 digits.
typedef struct lr_spool_record {
  uint64_t milliseconds;
  const char *id;
  const char *line;
  size_t length;
  /// The launch failed or timed out, so its provisional record says what is true.
  bool is_incomplete;
} lr_spool_record;

/// The errno if a record is larger than its spool may be.
enum { LR_RECORD_IS_TOO_LARGE = EFBIG };

/// Makes forks let go of the spool's lock. Call it before another thread uses a spool: a fork that has begun runs no handler that
/// comes later.
void lr_spool_prepare(void);
/// Puts a record into the spool. It replaces the provisional record of this process. If there is an error, that is removed, too,
/// unless the launch is incomplete. Returns 0 or an errno; EFBIG: the record is larger than the spool may be.
int lr_spool_add(const lr_spool *spool, const lr_spool_record *record);
/// Keeps a record that counts if the process ends before it adds one. A later one of the same start replaces it. Does nothing
/// after the launch has its record. Returns 0 or an errno.
int lr_spool_add_provisional(const lr_spool *spool, const lr_spool_record *record);
/// Removes the provisional record of this process, and prevents a later one.
void lr_spool_remove_provisional(void);
/// How many records were dropped since the spool was created.
uint64_t lr_spool_dropped(const char *directory);

/// Writes the absolute form of `path`, which still names the file after the program changes its directory, into `out`,
/// of LR_LONGEST_PATH bytes. Returns 0 or an errno: ENOENT for an empty path, as open(2).
int lr_absolute(char *out, const char *path);
/// PATH_MAX, which Swift does not see.
#define LR_LONGEST_PATH 4096

/// Calls `work` on its own thread, for which the process waits a short time at exit. False: no thread could be made.
bool lr_background(void (*work)(void *context), void *context);
/// Does the same with the one work of the process that is repeated. False also if there already is one.
bool lr_background_repeatedly(void (*work)(void *context), void *context);
/// Calls that work once more: after its call now, if there is one. Without a lock.
void lr_background_again(void);
/// Calls `listener` with the key of all metadata from now on, on the thread that records them. NULL ends this; so does the
/// launch's record.
void lr_metadata_listen(void (*listener)(void *context, const char *key), void *context);

LR_HIDDEN_END

#endif
