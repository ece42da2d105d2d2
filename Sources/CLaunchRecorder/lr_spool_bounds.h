// SPDX-License-Identifier: Apache-2.0

// How much a spool holds: it drops its oldest records when it has more.
#ifndef LR_SPOOL_BOUNDS_H
#define LR_SPOOL_BOUNDS_H

#include "include/lr_spool.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

// `<13 digits of milliseconds>-<32 digits of the id>.json`: sorted names are in the order of the launches.
#define LR_NAME_LENGTH (13 + 1 + 32 + 5)

/// The entries of a spool, which the caller closes. NULL and errno on failure.
DIR *lr_spool_entries(int directory);
/// Whether a file of a spool is a record that counts.
bool lr_spool_is_record(const char *name);
/// Drops the oldest records until the others are within the bounds of `spool`. Returns 0 or an errno. The caller holds the
/// spool's lock.
///
/// Looks once: a service that died at each of its launches may have left many records. Never drops the record `newest`,
/// whatever the clock says.
int lr_spool_keep_bounds(const lr_spool *spool, int directory, const char *newest);
/// How many records were dropped so far.
uint64_t lr_spool_read_dropped(int directory);

#pragma GCC visibility pop

#endif
