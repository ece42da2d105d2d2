// SPDX-License-Identifier: Apache-2.0

// The trace file and its mapping: created whole and valid, cut at the end.
#ifndef LR_TRACE_FILE_H
#define LR_TRACE_FILE_H

#include "lr_chunks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define LR_SMALLEST_LIMIT 65536u
// The filler of the rest is one protobuf field, which can have at most 2 GiB.
#define LR_LARGEST_LIMIT (2047u << 20)
#define LR_DEFAULT_LIMIT (64u << 20)

/// Creates the file beside `path`, under a temporary name (NULL: in memory), and maps it. Returns 0 or an errno. On
/// failure no file remains.
int lr_trace_file_create(const char *path, uint64_t limit);
/// Maps a file that a launcher has made: of full size, a single filler, never written to. `inherited` is a descriptor
/// of it, which is closed; or -1; or a descriptor of another file, which stays open. Returns false, and changes
/// nothing, if the file is missing or is anything else.
bool lr_trace_file_adopt(const char *path, int inherited);
/// Deletes a file that was created. Writers may still use it, so it stays mapped until the process ends.
void lr_trace_file_delete(void);
/// Gives the file its name, which must not exist yet, once it has content. Returns 0 or an errno; on an error the file
/// is deleted.
int lr_trace_file_give_name(const char *path);
/// The path that the file got (`-2`, `-3`, … if the requested one existed), NULL for memory.
const char *lr_trace_file_path(void);

// Called with the lock of lr_chunks.c held.

/// Makes the next chunk, one filler, and allocates `populate` bytes of the file after it if it can. False if the file or
/// the disk is full.
bool lr_trace_file_carve(lr_chunk *chunk, size_t populate);
/// NULL without a file. It changes when more of the file is mapped, and what was mapped before stays.
const uint8_t *lr_trace_file_base(void);
/// Bytes of the chunks that were made.
size_t lr_trace_file_carved(void);
/// Whether a launcher has filled the next `ahead` bytes, so that their pages are in memory.
bool lr_trace_file_is_prepared(size_t ahead);
/// Cuts off what is not in chunks.
void lr_trace_file_cut(void);

#pragma GCC visibility pop

#endif
