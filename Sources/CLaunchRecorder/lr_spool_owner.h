// SPDX-License-Identifier: Apache-2.0

// Which process left a provisional record in a spool: in the record's file name, and not in the record.
#ifndef LR_SPOOL_OWNER_H
#define LR_SPOOL_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// A process keeps all three when it executes another program.
typedef struct lr_spool_owner {
  /// 0: not known.
  uint64_t process;
  /// Clock ticks since the machine started. A later process may have the same id.
  uint64_t start;
  /// The namespaces in which the id and the start are valid, and the machine since its last start: containers and machines may
  /// share a spool.
  uint64_t id_space;
} lr_spool_owner;

/// The most characters of the text, with its end.
#define LR_SPOOL_OWNER_TEXT (3 * 21 + 1)

/// This process. Reads /proc.
lr_spool_owner lr_spool_owner_get(void);
bool lr_is_same_owner(const lr_spool_owner *one, const lr_spool_owner *other);
typedef enum lr_owner_state { LR_OWNER_LIVES, LR_OWNER_IS_GONE, LR_OWNER_IS_UNKNOWN } lr_owner_state;
/// What this process knows of another one.
lr_owner_state lr_owner_state_get(const lr_spool_owner *owner, const lr_spool_owner *own);
/// `4711-123456-4026531836-`, or an empty text if the process is not known. Returns the length.
size_t lr_owner_write(char *text, const lr_spool_owner *owner);
/// Reads that, and returns what follows: `name` itself if there is no owner.
const char *lr_owner_read(const char *name, lr_spool_owner *owner);

#pragma GCC visibility pop

#endif
