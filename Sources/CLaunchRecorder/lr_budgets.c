// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

#define LR_FIRST_BUDGETS 1024u

typedef struct lr_budget {
  const char *name;
  size_t name_length;
  lr_budget_kind kind;
  /// The launches that the budget applies to.
  lr_labels when;
  lr_strength strength;
  uint64_t ns;
} lr_budget;

// docs/budgets.md describes how a budget is resolved. LaunchAnalysis resolves budgets in the same way for reports
// (BudgetRules), and BudgetResolutionTests checks that both agree.
static struct {
  pthread_mutex_t lock;
  /// The labels of this launch that are known so far.
  lr_labels labels;
  /// The launcher named the kind of the launch. It knows better than the program.
  bool is_kind_fixed;
  uint32_t count, capacity;
  lr_budget *entries;
} lr_budgets = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// The built-in budget.
static uint64_t lr_budget_default(lr_budget_kind kind, const char *name, size_t name_length) {
  bool is_first_frame = ls_is(LS_MILESTONE_FIRST_FRAME, name, name_length);
  if (kind == LR_BUDGET_INTERVAL) return LS_DEFAULT_INTERVAL_BUDGET;
  return kind == LR_BUDGET_MILESTONE && is_first_frame ? LS_DEFAULT_FIRST_FRAME_BUDGET : UINT64_MAX;
}

static bool lr_label_is(const lr_label *label, const lr_label *other) {
  return label->length == other->length &&
         (label->length == 0 || memcmp(label->text, other->text, label->length) == 0);
}

/// A launch may have several kinds: `first, page-cache cold`.
static bool lr_label_has(const lr_label *label, const lr_label *asked) {
  if (lr_label_is(label, asked)) return true;
  for (size_t start = 0; start < label->length;) {
    const char *comma = memchr(label->text + start, ',', label->length - start);
    size_t end = comma ? (size_t)(comma - label->text) : label->length;
    while (start < end && label->text[start] == ' ') start++;
    if (lr_label_is(&(lr_label){label->text + start, end - start}, asked)) return true;
    start = end + 1;
  }
  return false;
}

/// How many labels the entry names, if this launch has all of them; otherwise -1.
static int lr_budget_fit(const lr_budget *entry) {
  int asked = 0;
  for (int i = 0; i < LR_LABELS; i++) {
    const lr_label *label = &entry->when.labels[i];
    if (label->length == 0) continue;
    if (!lr_label_has(&lr_budgets.labels.labels[i], label)) return -1;
    asked++;
  }
  return asked;
}

static bool lr_budget_is(const lr_budget *entry, lr_budget_kind kind, const char *name, size_t name_length) {
  return entry->kind == kind && entry->name_length == name_length && memcmp(entry->name, name, name_length) == 0;
}

/// The strongest entry for a name: the file's beats the program's, which beats a host's default. Among equally strong
/// ones, the one that names the most labels of this launch; among equals, the last.
static lr_budget *lr_budget_find(lr_budget_kind kind, const char *name, size_t name_length) {
  lr_budget *best = NULL;
  int best_rank = 0;
  for (uint32_t i = 0; i < lr_budgets.count; i++) {
    lr_budget *entry = &lr_budgets.entries[i];
    int fit = lr_budget_is(entry, kind, name, name_length) ? lr_budget_fit(entry) : -1;
    int rank = fit + (int)entry->strength * (LR_LABELS + 1);
    if (fit < 0 || rank < best_rank) continue;
    best = entry;
    best_rank = rank;
  }
  return best;
}

/// The entry for exactly these launches.
static lr_budget *lr_budget_entry(lr_budget_kind kind, const char *name, size_t name_length, const lr_labels *when) {
  for (uint32_t i = 0; i < lr_budgets.count; i++) {
    lr_budget *entry = &lr_budgets.entries[i];
    bool is_same = lr_budget_is(entry, kind, name, name_length);
    for (int label = 0; label < LR_LABELS; label++)
      is_same = is_same && lr_label_is(&entry->when.labels[label], &when->labels[label]);
    if (is_same) return entry;
  }
  return NULL;
}

/// Makes room for one more budget. The caller holds the lock.
static bool lr_budgets_grow(void) {
  if (lr_budgets.count < lr_budgets.capacity) return true;
  uint32_t capacity = lr_budgets.capacity ? 2 * lr_budgets.capacity : LR_FIRST_BUDGETS;
  lr_budget *entries = lr_zeroed(capacity * sizeof *entries);
  if (entries == NULL) return false;
  if (lr_budgets.entries) {
    memcpy(entries, lr_budgets.entries, lr_budgets.count * sizeof *entries);
    munmap(lr_budgets.entries, lr_budgets.capacity * sizeof *entries);
  }
  lr_budgets.entries = entries;
  lr_budgets.capacity = capacity;
  return true;
}

void lr_budget_set_permanent(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns,
                             lr_strength strength, const lr_labels *when) {
  if (lr_is_fork()) return;
  pthread_mutex_lock(&lr_budgets.lock);
  lr_budget *entry = lr_budget_entry(kind, name, name_length, when);
  if (entry == NULL && lr_budgets_grow()) {
    entry = &lr_budgets.entries[lr_budgets.count++];
    *entry = (lr_budget){.name = name, .name_length = name_length, .kind = kind, .when = *when};
  }
  if (entry && strength >= entry->strength) {
    entry->ns = ns;
    entry->strength = strength;
  }
  pthread_mutex_unlock(&lr_budgets.lock);
}

void lr_budgets_label(const char *key, const char *value, size_t length) {
  static const char *const keys[LR_LABELS] = {LS_KEY_REASON, LS_KEY_CONTEXT, LS_KEY_KIND};
  for (int i = 0; i < LR_LABELS; i++) {
    if (strcmp(keys[i], key) != 0) continue;
    const char *permanent = lr_permanent_string(value, length);
    pthread_mutex_lock(&lr_budgets.lock);
    bool is_fixed = i == LR_LABEL_KIND && lr_budgets.is_kind_fixed;
    if (permanent && !is_fixed) lr_budgets.labels.labels[i] = (lr_label){permanent, length};
    pthread_mutex_unlock(&lr_budgets.lock);
  }
}

void lr_budgets_fix_kind(const char *kind, size_t length) {
  pthread_mutex_lock(&lr_budgets.lock);
  lr_budgets.labels.labels[LR_LABEL_KIND] = (lr_label){kind, length};
  lr_budgets.is_kind_fixed = true;
  pthread_mutex_unlock(&lr_budgets.lock);
}

static void lr_budget_set_copied(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns,
                                 lr_strength strength, const char *const texts[LR_LABELS]) {
  const char *permanent = lr_permanent_string(name, name_length);
  lr_labels when = {0};
  for (int i = 0; i < LR_LABELS; i++) {
    size_t length = texts[i] ? strlen(texts[i]) : 0;
    if (length == 0) continue;
    when.labels[i] = (lr_label){lr_permanent_string(texts[i], length), length};
    // Without a label the budget would apply to the wrong launches.
    if (when.labels[i].text == NULL) return;
  }
  if (permanent) lr_budget_set_permanent(kind, permanent, name_length, ns, strength, &when);
}

void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                   const char *context, const char *launch_kind) {
  const char *const texts[LR_LABELS] = {reason, context, launch_kind};
  lr_budget_set_copied(kind, name, name_length, ns, LR_BY_PROGRAM, texts);
}

void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                           const char *context, const char *launch_kind) {
  const char *const texts[LR_LABELS] = {reason, context, launch_kind};
  lr_budget_set_copied(kind, name, name_length, ns, LR_BY_DEFAULT, texts);
}

/// True if a host's default is overruled by a budget that was set for all names.
static bool lr_budget_is_overruled(const lr_budget *entry) {
  const lr_budget *all = lr_budget_find(entry->kind, "*", 1);
  return entry->strength == LR_BY_DEFAULT && all && all->strength > LR_BY_DEFAULT;
}

/// The caller holds the lock.
static lr_budget_value lr_budget_resolve_locked(lr_budget_kind kind, const char *name, size_t name_length) {
  const lr_budget *entry = lr_budget_find(kind, name, name_length);
  if (entry && !lr_budget_is_overruled(entry)) return (lr_budget_value){entry->ns, true};
  entry = kind == LR_BUDGET_MILESTONE ? NULL : lr_budget_find(kind, "*", 1);
  return (lr_budget_value){entry ? entry->ns : lr_budget_default(kind, name, name_length), false};
}

lr_budget_value lr_budget_resolve(lr_budget_kind kind, const char *name, size_t name_length) {
  lr_lock(&lr_budgets.lock);
  lr_budget_value value = lr_budget_resolve_locked(kind, name, name_length);
  lr_unlock(&lr_budgets.lock);
  return value;
}

uint64_t lr_budget_get(lr_budget_kind kind, const char *name, size_t name_length) {
  return lr_budget_resolve(kind, name, name_length).ns;
}

uint64_t lr_budget_of_end(const char *milestone, size_t length) {
  uint64_t own = lr_budget_get(LR_BUDGET_MILESTONE, milestone, length);
  bool is_ready = ls_is(LS_MILESTONE_READY, milestone, length);
  if (own != UINT64_MAX || !is_ready) return own;
  return lr_budget_get(LR_BUDGET_MILESTONE, LR_LITERAL(LS_MILESTONE_FIRST_FRAME));
}

static void lr_write_budget(lr_writer *writer, const lr_budget *budget, uint64_t now) {
  static const char *const labels[LR_LABELS] = {LS_KEY_REASON, LS_KEY_CONTEXT, LS_KEY_LAUNCH_KIND};
  static const char *const strengths[] = {LS_SET_BY_HOST, LS_SET_BY_PROGRAM, LS_SET_BY_FILE};
  lr_packet packet;
  size_t bound = 64 + (4 + LR_LABELS) * LR_ANNOTATION + lr_bound(budget->name_length);
  for (int i = 0; i < LR_LABELS; i++) bound += lr_bound(budget->when.labels[i].length);
  if (!lr_event_open(&packet, writer, now, LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_BUDGET, LR_LITERAL(LS_EVENT_BUDGET));
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_INTERVAL), budget->name, budget->name_length);
  const char *kind_name = lr_budget_kind_name(budget->kind);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_KIND), kind_name, strlen(kind_name));
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_BUDGET_NS), budget->ns);
  const char *strength = strengths[budget->strength];
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_SET_BY), strength, strlen(strength));
  for (int i = 0; i < LR_LABELS; i++) {
    const lr_label *label = &budget->when.labels[i];
    if (label->length > 0) lr_annotate_string(&packet, labels[i], strlen(labels[i]), label->text, label->length);
  }
  lr_event_close(&packet);
}

void lr_write_budgets(void) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  uint64_t now = lr_now(writer);
  pthread_mutex_lock(&lr_budgets.lock);
  for (uint32_t i = 0; i < lr_budgets.count; i++) lr_write_budget(writer, &lr_budgets.entries[i], now);
  pthread_mutex_unlock(&lr_budgets.lock);
}
#endif
