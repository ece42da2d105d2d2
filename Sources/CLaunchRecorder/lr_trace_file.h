// The trace file: created whole and valid, handed out in chunks, cut at the end.
#ifndef LR_TRACE_FILE_H
#define LR_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LR_CHUNK 16384u
#define LR_SMALLEST_LIMIT 65536u
// The filler over the rest is one protobuf field, and those end at 2 GiB.
#define LR_LARGEST_LIMIT (2047u << 20)
#define LR_DEFAULT_LIMIT (64u << 20)

typedef struct lr_chunk {
  uint8_t *start;
  uint8_t *end;
} lr_chunk;

/// Creates the file beside `path`, under a temporary name (NULL: in memory), and maps it. Returns 0 or an errno; nothing is
/// left behind on failure.
int lr_trace_file_create(const char *path, uint64_t limit);
/// Maps the file that a launcher has made: of its full size, one filler from its first byte to its last, and never written
/// to. `inherited` is a descriptor of it, which is closed, or -1, or something else's, which stays open. False when the file is
/// not there or is anything else; nothing has happened then.
bool lr_trace_file_adopt(const char *path, int inherited);
/// Gives the file its name, which nothing may have yet, once it says something. Returns 0 or an errno; then the file is gone.
int lr_trace_file_give_name(const char *path);
/// The path that was taken (`-2`, `-3`, … where the asked one was there already), NULL for memory.
const char *lr_trace_file_path(void);
const uint8_t *lr_trace_file_bytes(size_t *size);

/// The next chunk, one filler, in file order; `is_refill` when the thread has filled one. False when the file or the disk is
/// full, or the file was cut.
bool lr_trace_file_take_chunk(lr_chunk *chunk, bool is_refill);
/// Cuts what was never handed out. No chunk can be taken after it.
void lr_trace_file_cut(void);

#endif
