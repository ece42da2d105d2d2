#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LR_MOST_BUDGETS 1024u
#define LR_LARGEST_BUDGETS_FILE (1 << 20)
#define LR_DEFAULT_INTERVAL_BUDGET UINT64_C(16000000)
#define LR_DEFAULT_FIRST_FRAME_BUDGET UINT64_C(400000000)

/// Who said it, the weakest first: a host that goes without saying, the program, the file of the person who measures.
typedef enum lr_strength { LR_BY_DEFAULT, LR_BY_PROGRAM, LR_BY_FILE } lr_strength;

typedef struct lr_budget {
  const char *name;
  size_t name_length;
  lr_budget_kind kind;
  lr_strength strength;
  uint64_t ns;
} lr_budget;

// Empty at first; the defaults stand in lr_budget_get.
static struct {
  pthread_mutex_t lock;
  uint32_t count;
  /// Room for LR_MOST_BUDGETS once there is one.
  lr_budget *entries;
} lr_budgets = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// What holds where nobody set anything.
static uint64_t lr_budget_default(lr_budget_kind kind, const char *name, size_t name_length) {
  static const char first_frame[] = "first-frame";
  bool is_first_frame = name_length == sizeof first_frame - 1 && memcmp(name, first_frame, name_length) == 0;
  if (kind == LR_BUDGET_INTERVAL) return LR_DEFAULT_INTERVAL_BUDGET;
  return kind == LR_BUDGET_MILESTONE && is_first_frame ? LR_DEFAULT_FIRST_FRAME_BUDGET : UINT64_MAX;
}

static lr_budget *lr_budget_find(lr_budget_kind kind, const char *name, size_t name_length) {
  for (uint32_t i = 0; i < lr_budgets.count; i++) {
    lr_budget *entry = &lr_budgets.entries[i];
    if (entry->kind == kind && entry->name_length == name_length && memcmp(entry->name, name, name_length) == 0)
      return entry;
  }
  return NULL;
}

/// `name` must live as long as the process.
static void lr_budget_set_permanent(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns,
                                    lr_strength strength) {
  pthread_mutex_lock(&lr_budgets.lock);
  lr_budget *entry = lr_budget_find(kind, name, name_length);
  if (lr_budgets.entries == NULL) lr_budgets.entries = lr_zeroed(LR_MOST_BUDGETS * sizeof *lr_budgets.entries);
  if (entry == NULL && lr_budgets.entries && lr_budgets.count < LR_MOST_BUDGETS) {
    entry = &lr_budgets.entries[lr_budgets.count++];
    *entry = (lr_budget){.name = name, .name_length = name_length, .kind = kind};
  }
  if (entry && strength >= entry->strength) {
    entry->ns = ns;
    entry->strength = strength;
  }
  pthread_mutex_unlock(&lr_budgets.lock);
}

static void lr_budget_set_copied(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns,
                                 lr_strength strength) {
  const char *permanent = lr_permanent_string(name, name_length);
  if (permanent) lr_budget_set_permanent(kind, permanent, name_length, ns, strength);
}

void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns) {
  lr_budget_set_copied(kind, name, name_length, ns, LR_BY_PROGRAM);
}

void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns) {
  lr_budget_set_copied(kind, name, name_length, ns, LR_BY_DEFAULT);
}

/// The entry that holds for `name`: its own, unless a host's default stands against what somebody said of all.
static lr_budget *lr_budget_in_force(lr_budget_kind kind, const char *name, size_t name_length) {
  lr_budget *entry = lr_budget_find(kind, name, name_length), *all = lr_budget_find(kind, "*", 1);
  return entry == NULL || (all && all->strength > entry->strength && entry->strength == LR_BY_DEFAULT) ? all : entry;
}

uint64_t lr_budget_get(lr_budget_kind kind, const char *name, size_t name_length) {
  pthread_mutex_lock(&lr_budgets.lock);
  lr_budget *entry = lr_budget_in_force(kind, name, name_length);
  uint64_t ns = entry ? entry->ns : lr_budget_default(kind, name, name_length);
  pthread_mutex_unlock(&lr_budgets.lock);
  return ns;
}

// MARK: The flat form

static bool lr_budget_kind_of(const char *word, size_t length, lr_budget_kind *kind) {
  static const char *const words[] = {"interval", "phase", "milestone"};
  for (int i = 0; i < 3; i++) {
    if (strlen(words[i]) != length || memcmp(words[i], word, length) != 0) continue;
    *kind = (lr_budget_kind)i;
    return true;
  }
  return false;
}

/// One line, `kind\tname\tns`; anything else is passed over.
static void lr_budget_line(const char *line, const char *end) {
  const char *name = memchr(line, '\t', (size_t)(end - line));
  const char *number = name ? memchr(name + 1, '\t', (size_t)(end - name - 1)) : NULL;
  lr_budget_kind kind;
  if (number == NULL || !lr_budget_kind_of(line, (size_t)(name - line), &kind)) return;
  uint64_t ns = 0;
  for (const char *digit = number + 1; digit < end; digit++) {
    if (*digit < '0' || *digit > '9' || ns > UINT64_MAX / 10 - 1) return;
    ns = ns * 10 + (uint64_t)(*digit - '0');
  }
  if (number + 1 < end) lr_budget_set_permanent(kind, name + 1, (size_t)(number - name - 1), ns, LR_BY_FILE);
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
      lr_budget_line(line, line_end);
      line = line_end + 1;
    }
  }
  close(descriptor);
  return error;
}

// MARK: Over budget

// A weak reference: found when the program uses libdispatch, NULL otherwise.
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));

// After an async `main` suspends, the first thread parks for ever and the main queue's work runs on worker threads.
bool lr_is_main_thread(void) {
  if (lr_thread_id() == lr_current_process()) return true;
  if (dispatch_queue_get_label == NULL) return false;
  const char *label = dispatch_queue_get_label(NULL /* DISPATCH_CURRENT_QUEUE_LABEL */);
  return label && strcmp(label, "com.apple.main-thread") == 0;
}

static const char *lr_budget_kind_name(lr_budget_kind kind) {
  return kind == LR_BUDGET_INTERVAL ? "interval" : kind == LR_BUDGET_PHASE ? "phase" : "milestone";
}

void lr_flag_over_budget(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                         uint64_t end, uint64_t budget) {
  LR_PROBE3("over__budget", name, end - start, budget);
  lr_summary_add_over_budget(kind, name, name_length, start, end - start, budget);
  lr_packet packet;
  size_t bound = 64 + 6 * LR_ANNOTATION + lr_bound(name_length);
  if (!lr_event_open(&packet, writer, end, LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, "launchprof.budget", LR_LITERAL("over-budget"));
  lr_annotate_string(&packet, "interval", name, name_length);
  const char *kind_name = lr_budget_kind_name(kind);
  lr_annotate_string(&packet, "kind", kind_name, strlen(kind_name));
  lr_annotate_uint(&packet, "start_ns", start);
  lr_annotate_uint(&packet, "duration_ns", end - start);
  lr_annotate_uint(&packet, "budget_ns", budget);
  lr_annotate_uint(&packet, "over_ns", end - start - budget);
  lr_event_close(&packet);
}

static void lr_write_budget(lr_writer *writer, const lr_budget *budget, uint64_t now) {
  lr_packet packet;
  size_t bound = 64 + 3 * LR_ANNOTATION + lr_bound(budget->name_length);
  if (!lr_event_open(&packet, writer, now, LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, "launchprof.budget", LR_LITERAL("budget"));
  lr_annotate_string(&packet, "interval", budget->name, budget->name_length);
  const char *kind_name = lr_budget_kind_name(budget->kind);
  lr_annotate_string(&packet, "kind", kind_name, strlen(kind_name));
  lr_annotate_uint(&packet, "budget_ns", budget->ns);
  lr_event_close(&packet);
}

void lr_write_budgets(void) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  uint64_t now = lr_now(writer);
  pthread_mutex_lock(&lr_budgets.lock);
  for (uint32_t i = 0; i < lr_budgets.count; i++) {
    const lr_budget *entry = &lr_budgets.entries[i];
    if (lr_budget_in_force(entry->kind, entry->name, entry->name_length) == entry) lr_write_budget(writer, entry, now);
  }
  pthread_mutex_unlock(&lr_budgets.lock);
}

void lr_interval_over_budget(lr_interval interval, uint64_t end) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_is_main_thread()) return;
  const char *name = interval.name->name;
  lr_flag_over_budget(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end, interval.name->budget);
}
#endif
