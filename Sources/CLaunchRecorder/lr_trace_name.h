// SPDX-License-Identifier: Apache-2.0

// The names of a trace file: a temporary one while it is made, its final one once it has content.
#ifndef LR_TRACE_NAME_H
#define LR_TRACE_NAME_H

#include "include/lr_spool.h"

#pragma GCC visibility push(hidden)

/// Writes `pattern` with every `{pid}` replaced into `path`, of PATH_MAX bytes. Returns 0 or an errno: ENOENT for an
/// empty pattern, as open(2).
int lr_trace_name_expand(char *path, const char *pattern);
/// 0 if lr_trace_name_give seems to have a name for a file, else an errno: EEXIST if all are taken, EISDIR for a directory.
int lr_trace_name_find(const char *path);
/// Creates a file beside `path`, and writes its name into `temporary`, of PATH_MAX bytes. -1 with errno on failure.
int lr_trace_name_open(const char *path, char *temporary);
/// Renames the file `name` to `path`, or to `-2`, `-3`, … before the extension if the requested name is taken. Writes
/// the resulting name into `name`. Returns 0 or an errno; on an error `name` is unchanged.
int lr_trace_name_give(char *name, const char *path);

#pragma GCC visibility pop

#endif
