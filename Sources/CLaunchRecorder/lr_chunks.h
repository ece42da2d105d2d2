// SPDX-License-Identifier: Apache-2.0

// The chunks of the trace file. Each thread writes into its own.
#ifndef LR_CHUNKS_H
#define LR_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define LR_CHUNK 16384u

typedef struct lr_chunk {
  uint8_t *start;
  uint8_t *end;
} lr_chunk;

/// The next chunk, one filler, in file order; `is_refill` if the thread has filled one. False if the file or the disk
/// is full, or no chunk can be taken any more.
bool lr_chunk_take(lr_chunk *chunk, bool is_refill);
/// Cuts off the part of the file that was never handed out. No chunk can be taken after it.
void lr_chunks_end(void);
/// Bytes of the chunks that were made.
size_t lr_chunks_size(void);

#pragma GCC visibility pop

#endif
