// Writes the recorder's prepared records in every length and at times where their sums carry, for RecordShapeTests.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Sources/CLaunchRecorder/lr_clock.h"
#include "CLaunchRecorder.h"

static uint64_t varint(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0;; i++) {
    value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if (bytes[i] < 0x80) return value;
  }
}

/// The time stamp of a plain record `elapsed` ns after `ns`.
static uint64_t stamp(uint64_t ns, uint64_t elapsed) {
  static lr_writer writer = {.sequence = 16383, .continuation_bits = LR_CONTINUATION_BITS};
  lr_clock_set(&writer, 0, ns);
  uint64_t words[2] = {lr_record_head(&writer, elapsed), writer.tail};
  return varint((const uint8_t *)words + 3);
}

static int check_stamps(void) {
  static const uint64_t elapsed[] = {0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 99999999, (1 << 28) - 1};
  uint64_t state = 1;
  for (int i = 0; i < 200000; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t more = elapsed[i % 10], ns = state >> (i % 30 + 1);
    // A line ends where the lower 35 bits do.
    if ((ns & ((UINT64_C(1) << 35) - 1)) + more >= UINT64_C(1) << 35) continue;
    if (stamp(ns, more) != ns + more) return printf("%llu + %llu\n", (unsigned long long)ns, (unsigned long long)more);
  }
  return 0;
}

/// However near the end of the lower 35 bits the line begins, it ends before it.
static int check_lines(void) {
  static const uint64_t lefts[] = {1, 2, 1000, 999999, 100000000, 100000001, UINT64_C(1) << 34};
  for (int i = 0; i < 7; i++) {
    for (uint64_t rate = UINT64_C(1) << 28; rate < UINT64_C(1) << 36; rate = rate * 2 + 12345) {
      lr_writer writer = {0};
      uint64_t ns = (UINT64_C(7) << 35) - lefts[i], most = lefts[i] < 100000000 ? lefts[i] : 100000000;
      lr_clock_set(&writer, 0, ns);
      lr_clock_run(&writer, rate, 100000000);
      uint64_t last = writer.clock_window ? (writer.clock_window - 1) * writer.clock_rate >> 32 : 0;
      if (last >= most) return printf("a line of %llu ns runs to %llu\n", (unsigned long long)most, (unsigned long long)last);
    }
  }
  return 0;
}

static void write_messages(const lr_category *category, size_t from, size_t to) {
  char *text = malloc(to);
  if (text == NULL) return;
  for (size_t i = 0; i < to; i++) text[i] = (char)('a' + i % 26);
  for (size_t length = from; length < to; length++) {
    lr_event_message(category, "message", 0, text, length);
    lr_interval interval = lr_interval_begin_message(category, "message", length % 3 ? 0 : length, text, length);
    lr_async async = lr_async_begin(category, "async", 0, text, length % 2 ? length : 0);
    lr_async_end(category, "async", 0, async, text, length % 5 ? 0 : length);
    lr_interval_end(category, "message", interval);
  }
  free(text);
}

/// Names of up to 70 bytes that differ in one byte only.
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

int main(void) {
  if (check_stamps() || check_lines()) return 1;
  const lr_category *category = lr_category_make("org.example", 11, "shapes", 6);
  write_messages(category, 0, 300);
  write_messages(category, 2040, 2060);
  write_counters();
  // More categories than have an id: their events go without a category.
  for (int i = 0; i < 130; i++) {
    char name[16];
    int length = snprintf(name, sizeof name, "category %d", i);
    category = lr_category_make("", 0, name, (size_t)length);
  }
  write_messages(category, 1, 20);
  return lr_summary_get().events_dropped > 0 ? 2 : 0;
}
