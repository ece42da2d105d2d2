// SPDX-License-Identifier: Apache-2.0

// The trace file: created whole and valid, handed out in chunks, cut at the end.
#ifndef LR_TRACE_FILE_H
#define LR_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define LR_CHUNK 16384u
#define LR_SMALLEST_LIMIT 65536u
// The filler of the rest is one protobuf field, which can have at most 2 GiB.
#define LR_LARGEST_LIMIT (2047u << 20)
#define LR_DEFAULT_LIMIT (64u << 20)

typedef struct lr_chunk {
  uint8_t *start;
  uint8_t *end;
} lr_chunk;

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
/// Bytes of the chunks that were made.
size_t lr_trace_file_size(void);
void lr_trace_file_copy(uint8_t *to, size_t size);

/// The next chunk, one filler, in file order; `is_refill` if the thread has filled one. False if the file or the disk
/// is full, or the file was cut.
bool lr_trace_file_take_chunk(lr_chunk *chunk, bool is_refill);
/// Cuts the part that was never handed out. No chunk can be taken after it.
void lr_trace_file_cut(void);

#pragma GCC visibility pop

#endif
