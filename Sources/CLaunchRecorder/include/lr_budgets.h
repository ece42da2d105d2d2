// SPDX-License-Identifier: Apache-2.0

// Budgets: how long intervals, phases and milestones may take.
#ifndef LR_BUDGETS_H
#define LR_BUDGETS_H

#include "lr_declarations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LR_HIDDEN_BEGIN

typedef uint32_t lr_budget_kind;
enum { LR_BUDGET_INTERVAL, LR_BUDGET_PHASE, LR_BUDGET_MILESTONE };
/// Sets the budget of `name` (`*`: all names without a budget of their own), ns. Names interned earlier keep theirs.
/// It is for launches with this reason, context and kind; NULL or empty: any. If several match a launch, the most
/// specific one applies.
void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                   const char *context, const char *launch_kind);
/// As lr_budget_set, for a default, the weakest budget: it applies only if no other is set.
void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                           const char *context, const char *launch_kind);
/// A budget as resolved for this launch from what is known of it so far: docs/budgets.md.
typedef struct lr_budget_value {
  /// ns; UINT64_MAX for none.
  uint64_t ns;
  /// The budget was set for this name, so it applies on every thread.
  bool is_named;
} lr_budget_value;
lr_budget_value lr_budget_resolve(lr_budget_kind kind, const char *name, size_t name_length);
/// Only the budget's value, ns; UINT64_MAX for none.
uint64_t lr_budget_get(lr_budget_kind kind, const char *name, size_t name_length);
/// The budget of a milestone that ends the launch, ns. `ready` has that of `first-frame` if it has none of its own.
uint64_t lr_budget_of_end(const char *milestone, size_t length);
/// Writes all budgets that were set, so that a report can use them.
void lr_write_budgets(void);
/// Reads budgets in the flat form of docs/trace-format.md. Returns 0 or an errno: EPROTONOSUPPORT for another version of the form,
/// which a launcher of another release may write.
int lr_budgets_read(const char *path);

LR_HIDDEN_END

#endif
