// SPDX-License-Identifier: Apache-2.0

// Writes the recorder's prepared records with every length, and at times where sums carry, for RecordShapeTests.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "../../Sources/CLaunchRecorder/lr_clock.h"
#include "../../Sources/CLaunchRecorder/lr_recorder.h"
#include "CLaunchRecorder.h"

static uint64_t varint(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0;; i++) {
    value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if (bytes[i] < 0x80) return value;
  }
}

#define LOWER (UINT64_C(1) << 28)

/// The time stamp of a plain record `elapsed` ns after `ns`.
static uint64_t stamp(uint64_t spread_mask, uint64_t ns, uint64_t elapsed) {
  static lr_writer writer = {.sequence = 16383};
  writer.spread_mask = spread_mask;
  lr_clock_set(&writer, 0, ns);
  uint64_t words[2] = {lr_record_head(&writer, elapsed), writer.tail};
  return varint((const uint8_t *)words + 3);
}

/// The mask of a writer whose clock has been measured: 0 on processors without a fast pdep.
static uint64_t measured_mask(void) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return 0;
  lr_now(writer);
  nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  lr_now(writer);
  return writer->spread_mask;
}

static void *mask_of_new_thread(void *mask) {
  lr_writer *writer = lr_writer_get();
  if (writer) *(uint64_t *)mask = writer->spread_mask;
  return NULL;
}

/// A new thread knows at once what the first one has found out.
static int check_thread(uint64_t spread_mask) {
  uint64_t mask = 1;
  pthread_t thread;
  if (pthread_create(&thread, NULL, mask_of_new_thread, &mask) != 0) return 1;
  pthread_join(thread, NULL);
  return mask != spread_mask;
}

static int check_stamps(uint64_t spread_mask) {
  static const uint64_t elapsed[] = {0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 99999999, LOWER - 1};
  uint64_t state = 1;
  for (int i = 0; i < 200000; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    // A stopped clock, and a running one, for which the lower bits are zero.
    uint64_t more = elapsed[i % 10], ns = state >> (i % 30 + 1), base = ns & ~(LOWER - 1);
    if (stamp(spread_mask, ns, 0) != ns) return printf("%llu\n", (unsigned long long)ns);
    if (stamp(spread_mask, base, more) != base + more) return printf("%llu + %llu\n", (unsigned long long)base, (unsigned long long)more);
  }
  return 0;
}

/// A line begins now, or at most one tick later. It ends with its window, or when the lower bits are used up.
static int check_line(uint64_t ns, uint64_t rate, uint64_t window) {
  static const uint64_t ticks = 123456789;
  lr_writer writer = {0};
  lr_clock_set(&writer, ticks, ns);
  uint64_t lower = ns & (LOWER - 1), most = lower + window < LOWER ? lower + window : LOWER, elapsed = lr_clock_run(&writer, rate, window);
  bool is_now = elapsed >= lower && (elapsed < lower + (rate >> 32) + 2) && elapsed < LOWER;
  uint64_t last = writer.clock_window ? (writer.clock_window - 1) * writer.clock_rate >> 32 : 0;
  bool is_base = writer.clock_ns + lower == ns && writer.line_end == ns + window;
  bool is_same = elapsed == LOWER - 1 || (ticks - writer.clock_ticks) * writer.clock_rate >> 32 == elapsed;
  if (is_now && is_base && is_same && last < most) return 0;
  return printf("a line from %llu with %llu\n", (unsigned long long)ns, (unsigned long long)rate);
}

static int check_lines(void) {
  static const uint64_t lefts[] = {1, 2, 1000, 999999, 100000000, 100000001, LOWER - 1, LOWER};
  for (int i = 0; i < 8; i++)
    for (uint64_t rate = UINT64_C(1) << 28; rate < UINT64_C(1) << 40; rate = rate * 2 + 12345)
      if (check_line((UINT64_C(7) << 35) - lefts[i], rate, 100000000)) return 1;
  return 0;
}

/// Times never go backwards, neither while a line is valid nor when the lower bits are used up meanwhile.
static int check_order(void) {
  lr_writer writer = {0};
  uint64_t rate = UINT64_C(1) << 31, before = 0;
  // A millisecond later the lower bits are used up.
  lr_clock_set(&writer, lr_ticks(), LOWER * 5 - 1000000);
  lr_clock_run(&writer, rate, 100000000);
  uint64_t first = lr_now(&writer), now;
  do {
    now = lr_now(&writer);
    if (now < before) return printf("%llu after %llu\n", (unsigned long long)now, (unsigned long long)before);
    before = now;
  } while (now < first + 3000000);
  return now < LOWER * 5 || writer.clock_ns != LOWER * 5;
}

static void write_messages(const lr_category *category, size_t from, size_t to) {
  char *text = malloc(to);
  if (text == NULL) return;
  for (size_t i = 0; i < to; i++) text[i] = (char)('a' + i % 26);
  for (size_t length = from; length < to; length++) {
    lr_event_message(category, "message", 0, text, length);
    lr_interval interval = lr_interval_begin_message(category, "message", length % 3 ? 0 : length, text, length);
    uint64_t id = length % 4 ? UINT64_MAX >> (length % 64) : 0;
    lr_async async = lr_async_begin(category, "async", id, text, length % 2 ? length : 0);
    lr_async_end(category, "async", id, async, text, length % 5 ? 0 : length);
    lr_interval_end(category, "message", interval);
  }
  free(text);
}

/// Names of up to 70 bytes that differ in only one byte.
static void write_counters(void) {
  char name[70];
  for (size_t length = 1; length <= sizeof name; length += length < 20 ? 1 : 10) {
    for (size_t place = 0; place < length; place += 1 + length / 3) {
      memset(name, '-', sizeof name);
      name[place] = 'x';
      for (int i = 0; i < 3; i++) lr_counter(name, length, LR_UNIT_BYTES, (double)(length * 1000 + place) + i * 0.25);
    }
  }
}

/// Programs that keep every CPU busy, so that this one is preempted, run until it ends.
static void keep_busy(void) {
  long count = 2 * sysconf(_SC_NPROCESSORS_ONLN);
  pid_t parent = getpid();
  for (long i = 0; i < count; i++) {
    if (fork() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent) {}
    _exit(0);
  }
}

static void write_clocks(void) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  keep_busy();
  for (int i = 0; i < 200000; i++) lr_write_clock_snapshot(writer);
}

/// Two names with the same first place. Returns the second, and the first in `*other`.
static const char *name_with_taken_place(const lr_category *category, const char **other) {
  static const char names[100][2];
  const lr_writer *writer = lr_writer_get();
  for (int i = 1; writer && i < 100; i++)
    for (int j = 0; j < i; j++)
      if (lr_name_place(writer, names[i], category) == lr_name_place(writer, names[j], category)) return *other = names[j], names[i];
  return NULL;
}

/// The second byte of records with that name: a begin on a lane, one with an ID, and two messages. In prepared shapes it is
/// the whole length.
static void read_lengths(const lr_category *category, const char *name, uint8_t lengths[4]) {
  const lr_writer *writer = lr_writer_get();
  const uint8_t *record = writer->cursor;
  lr_async interval = lr_async_begin(category, name, 0, NULL, 0);
  lengths[0] = record[1];
  lr_async_end(category, name, 0, interval, NULL, 0);
  record = writer->cursor;
  interval = lr_async_begin(category, name, 7, NULL, 0);
  lengths[1] = record[1];
  lr_async_end(category, name, 7, interval, NULL, 0);
  record = writer->cursor;
  lr_event_message(category, name, 0, "m", 1);
  lengths[2] = record[1];
  record = writer->cursor;
  lr_interval scoped = lr_interval_begin_message(category, name, 0, "m", 1);
  lengths[3] = record[1];
  lr_interval_end(category, name, scoped);
}

/// A name whose first place another one has is recorded in the same shapes.
static int check_places(const lr_category *category) {
  const char *other, *name = name_with_taken_place(category, &other);
  uint8_t expected[4], found[4];
  if (name == NULL) return printf("every name has a place of its own\n");
  // The first record of a name also introduces it.
  for (int i = 0; i < 2; i++) read_lengths(category, other, expected);
  for (int i = 0; i < 2; i++) read_lengths(category, name, found);
  for (int i = 0; i < 4; i++)
    if (found[i] != expected[i]) return printf("record %d begins with length %d instead of %d\n", i, found[i], expected[i]);
  return 0;
}

int main(void) {
  uint64_t spread_mask = measured_mask();
  if (check_thread(spread_mask) || check_stamps(0) || check_stamps(spread_mask) || check_lines() || check_order()) return 1;
  const lr_category *category = lr_category_make("org.example", 11, "shapes", 6);
  if (check_places(category)) return 1;
  write_messages(category, 0, 300);
  write_messages(category, 2040, 2060);
  write_counters();
  // More categories than IDs: the events of the rest have no category.
  for (int i = 0; i < 130; i++) {
    char name[16];
    int length = snprintf(name, sizeof name, "category %d", i);
    category = lr_category_make("", 0, name, (size_t)length);
  }
  write_messages(category, 1, 20);
  write_clocks();
  return lr_summary_get().events_dropped > 0 ? 2 : 0;
}
