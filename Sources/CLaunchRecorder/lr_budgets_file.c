// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LR_LARGEST_BUDGETS_FILE (1 << 20)

// The flat form of docs/trace-format.md.

static bool lr_budget_kind_of(const char *word, size_t length, lr_budget_kind *kind) {
  static const char *const words[] = {LS_BUDGET_INTERVAL, LS_BUDGET_PHASE, LS_BUDGET_MILESTONE};
  for (int i = 0; i < 3; i++) {
    if (strlen(words[i]) != length || memcmp(words[i], word, length) != 0) continue;
    *kind = (lr_budget_kind)i;
    return true;
  }
  return false;
}

/// The end of the field that begins at `text`.
static const char *lr_field_end(const char *text, const char *end) {
  const char *tab = memchr(text, '\t', (size_t)(end - text));
  return tab ? tab : end;
}

/// Reads `when\treason\tcontext\tkind\t` before an entry that is only for such launches (`*`: any). Returns where the
/// entry begins.
static const char *lr_budget_condition(const char *line, const char *end, lr_labels *when) {
  *when = (lr_labels){0};
  if (end - line < 5 || memcmp(line, "when\t", 5) != 0) return line;
  line += 5;
  for (int i = 0; i < LR_LABELS; i++) {
    const char *field = line, *field_end = lr_field_end(field, end);
    if (field_end == end || field_end == field) return end;
    if (field_end != field + 1 || *field != '*') when->labels[i] = (lr_label){field, (size_t)(field_end - field)};
    line = field_end + 1;
  }
  return line;
}

/// Whether the line is `format\tN` of another version: what its entries mean is not known.
static bool lr_is_of_other_form(const char *line, const char *end) {
  static const char format[] = LS_KEY_FORMAT "\t";
  const size_t length = sizeof format - 1;
  if ((size_t)(end - line) < length || memcmp(line, format, length) != 0) return false;
  return (size_t)(end - line) != length + 1 || line[length] != '0' + LS_BUDGETS_FORMAT;
}

/// One line, `kind\tname\tns` or `launch\tkind\t<kind>`. Anything else is ignored.
static void lr_budget_line(const char *line, const char *end) {
  static const char launch_kind[] = "launch\tkind\t";
  const size_t length = sizeof launch_kind - 1;
  if ((size_t)(end - line) > length && memcmp(line, launch_kind, length) == 0) {
    lr_budgets_fix_kind(line + length, (size_t)(end - line) - length);
    return;
  }
  lr_labels when;
  line = lr_budget_condition(line, end, &when);
  const char *name = memchr(line, '\t', (size_t)(end - line));
  const char *number = name ? memrchr(name + 1, '\t', (size_t)(end - name - 1)) : NULL;
  lr_budget_kind kind;
  if (number == NULL || !lr_budget_kind_of(line, (size_t)(name - line), &kind)) return;
  uint64_t ns = 0;
  for (const char *digit = number + 1; digit < end; digit++) {
    if (*digit < '0' || *digit > '9' || ns > UINT64_MAX / 10 - 1) return;
    ns = ns * 10 + (uint64_t)(*digit - '0');
  }
  if (number + 1 < end) lr_budget_set_permanent(kind, name + 1, (size_t)(number - name - 1), ns, LR_BY_FILE, &when);
}

int lr_budgets_read(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno;
  struct stat status;
  int error = fstat(descriptor, &status) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = EINVAL;
  if (error == 0 && status.st_size > LR_LARGEST_BUDGETS_FILE) error = EFBIG;
  if (error == 0 && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    // Never unmapped: the names are used in place. Anonymous memory, so that the file may change afterwards.
    char *text = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ssize_t got = text == MAP_FAILED ? -1 : read(descriptor, text, size);
    if (got < 0) error = errno;
    for (char *line = text, *end = text + (got > 0 ? got : 0); got > 0 && line < end;) {
      char *line_end = memchr(line, '\n', (size_t)(end - line));
      if (line_end == NULL) line_end = end;
      if (lr_is_of_other_form(line, line_end)) {
        error = EPROTONOSUPPORT;
        break;
      }
      lr_budget_line(line, line_end);
      line = line_end + 1;
    }
  }
  close(descriptor);
  return error;
}
#endif
