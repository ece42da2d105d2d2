// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_clock.h"
#include "lr_recorder.h"
#include "lr_reserve.h"

#include <string.h>
#include <time.h>
#include "lr_start_code.h"

/// `id`: Perfetto's id of a builtin clock.
static void lr_put_clock(lr_packet *packet, uint32_t id, uint64_t now) {
  uint32_t clock = lr_message_open(packet, 1);
  lr_put_varint(packet, 1, id);
  lr_put_varint(packet, 2, now);
  lr_message_close(packet, clock);
}

typedef struct lr_clocks {
  uint64_t realtime, boottime, now;
} lr_clocks;

/// Readings that take so long are repeated, but only so often.
#define LR_CLOSE_READINGS_NS 5000u
#define LR_MOST_READINGS 5u

/// All clocks at one moment: a thread that loses its CPU between two readings reads again.
static lr_clocks lr_read_clocks(lr_writer *writer) {
  lr_clocks best = {0, 0, 0};
  uint64_t best_gap = UINT64_MAX;
  for (unsigned i = 0; i < LR_MOST_READINGS && best_gap > LR_CLOSE_READINGS_NS; i++) {
    uint64_t before = lr_now(writer);
    lr_clocks read = {lr_clock_ask(CLOCK_REALTIME), lr_clock_ask(CLOCK_BOOTTIME), 0};
    // Last, and from the clock of the events: its value is the closest to theirs.
    read.now = lr_now(writer);
    if (read.now - before >= best_gap) continue;
    best_gap = read.now - before;
    best = read;
  }
  return best;
}

void lr_write_clock_snapshot(lr_writer *writer) {
  lr_clocks clocks = lr_read_clocks(writer);
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, 96)) return;
  uint32_t snapshot = lr_message_open(&packet, LR_PACKET_CLOCK_SNAPSHOT);
  lr_put_clock(&packet, 1, clocks.realtime);
  lr_put_clock(&packet, 6, clocks.boottime);
  lr_put_clock(&packet, 3, clocks.now);
  lr_put_varint(&packet, 2, 3);
  lr_message_close(&packet, snapshot);
  lr_packet_close(&packet);
}

#define LR_LONGEST_ARGUMENT 256u
/// The longest text that replaces a URL.
#define LR_REDACTION 40u

static size_t lr_argument_length(const char *argument) {
  return lr_cut(argument, lr_length(argument, LR_LONGEST_ARGUMENT + 1), LR_LONGEST_ARGUMENT);
}

static size_t lr_append(char *text, size_t length, const char *added, size_t added_length) {
  for (size_t i = 0; i < added_length; i++) text[length + i] = added[i];
  return length + added_length;
}

/// Writes an argument. A note of its length replaces a URL in it. `text` has LR_LONGEST_ARGUMENT + LR_REDACTION bytes.
static size_t lr_redact_argument(char *text, const char *argument) {
  size_t length = lr_argument_length(argument), url = ls_url_place(argument, length);
  if (url == length || lr_is_unredacted()) return lr_append(text, 0, argument, length);
  size_t redacted = lr_append(text, 0, argument, url);
  redacted = lr_append(text, redacted, LR_LITERAL("<URL, "));
  redacted += lr_decimal(text + redacted, lr_length(argument + url, SIZE_MAX));
  return lr_append(text, redacted, LR_LITERAL(" bytes>"));
}

/// The process's track: the program, its arguments, and its start.
void lr_write_process(lr_writer *writer, int argc, char **argv) {
  const char *name = argc > 0 && argv[0] ? argv[0] : "?";
  size_t bound = 128 + LR_LONGEST_ARGUMENT, arguments = 0;
  // A toolkit that takes options out of the arguments leaves NULL at their end.
  for (; arguments < (size_t)argc && arguments < LR_MOST_ARGUMENTS && argv[arguments]; arguments++)
    bound += lr_argument_length(argv[arguments]) + LR_REDACTION + 8;
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, bound)) return;
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, lr_process_track());
  uint32_t process = lr_message_open(&packet, 3);
  lr_put_varint(&packet, 1, (uint64_t)lr_process_id());
  for (size_t i = 0; i < arguments; i++) {
    char text[LR_LONGEST_ARGUMENT + LR_REDACTION];
    lr_put_foreign_string(&packet, 2, text, lr_redact_argument(text, argv[i]));
  }
  name = lr_base_name(name);
  lr_put_foreign_string(&packet, 6, name, lr_argument_length(name));
  lr_put_varint(&packet, 7, lr_start_of_process.start);
  lr_message_close(&packet, process);
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
}

/// The cost of one event, ns; mostly the reading of the clock.
static double lr_event_cost(lr_writer *writer) {
  int count = 8;
  uint64_t before = lr_now(writer), sum = 0;
  for (int i = 1; i < count; i++) sum += lr_spread(lr_now(writer));
  uint64_t after = lr_now(writer);
  // The compiler must not know the count: it would multiply by a constant on a page of constants.
  __asm__ __volatile__("" : "+r"(count) : "r"(sum));
  return (double)(int64_t)(after - before) / count;
}

void lr_write_recorder(lr_writer *writer, double startup_cost, uint32_t untimed) {
  const lr_process_start *start = &lr_start_of_process;
  double event_cost = lr_event_cost(writer);
  lr_packet packet;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, 64 + 13 * LR_ANNOTATION)) return;
  lr_event_names(&packet, LR_LITERAL(LS_CATEGORY_RECORDER), LR_LITERAL(LS_EVENT_RECORDER));
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_FORMAT), LS_FORMAT);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_LIBRARY_VERSION), LR_LITERAL(LAUNCHPROF_VERSION));
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_PROCESS_START_NS), start->start);
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_PROCESS_START_ERROR_NS), start->error);
  const char *source = start->from_launcher ? LR_WORD(LS_SOURCE_LAUNCHER) : LR_WORD(LS_SOURCE_ESTIMATED);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_PROCESS_START_SOURCE), source, lr_length(source, 16));
  if (lr_is_in_program() && start->preinit) lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_PREINIT_NS), start->preinit);
  lr_clock_kind kind = lr_clock_candidate();
  const char *clock = kind == LR_CLOCK_TSC ? LR_WORD("tsc") : kind == LR_CLOCK_CNTVCT ? LR_WORD("cntvct") : LR_WORD("vdso");
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_CLOCK), clock, lr_length(clock, 16));
  lr_annotate_double(&packet, LR_LITERAL(LS_KEY_STARTUP_COST_NS), startup_cost);
  lr_annotate_double(&packet, LR_LITERAL(LS_KEY_EVENT_COST_NS), event_cost);
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_INITIALIZERS_UNTIMED), untimed);
  const char *mode = lr_is_static_executable() ? LR_WORD("static") : LR_WORD("dynamic");
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_LINK_MODE), mode, lr_length(mode, 16));
#if defined(__OPTIMIZE__)
  lr_annotate_bool(&packet, LR_LITERAL(LS_KEY_DEBUG_BUILD), false);
#else
  lr_annotate_bool(&packet, LR_LITERAL(LS_KEY_DEBUG_BUILD), true);
#endif
  uint64_t *dropped = lr_annotate_double(&packet, LR_LITERAL(LS_KEY_EVENTS_DROPPED), 0);
  lr_event_close(&packet);
  lr_show_dropped_at(dropped);
}

// MARK: The phases before main

void lr_write_phase_begin(lr_writer *writer, const char *name, size_t name_length, uint64_t start, const char *source,
                          size_t source_length) {
  lr_packet packet;
  if (!lr_event_open(&packet, writer, start, LR_BEGIN, 0, 64 + 2 * LR_ANNOTATION + name_length)) return;
  lr_event_names(&packet, LR_LITERAL(LS_CATEGORY_PHASE), name, name_length);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_SOURCE), source, source_length);
  // There was no room for a writer of the main thread.
  if (writer->thread != lr_process_id()) lr_annotate_bool(&packet, LR_LITERAL(LS_KEY_MAIN_ACTOR), true);
  lr_event_close(&packet);
}

bool lr_put_mark(lr_writer *writer, const char *name, size_t name_length, uint64_t time) {
  size_t bound = LR_MARK_BOUND(name_length);
  lr_packet packet;
  if (!lr_writer_make_room(writer, lr_event_size(bound)) || !lr_event_open(&packet, writer, time, LR_INSTANT, 0, bound)) return false;
  lr_event_names(&packet, LR_LITERAL(LS_CATEGORY_MARK), name, name_length);
  lr_event_close(&packet);
  return true;
}

void lr_write_mark(const char *name, size_t name_length, uint64_t time, bool is_kept) {
  lr_writer *writer = lr_writer_or_none();
  if ((writer && lr_put_mark(writer, name, name_length, time)) || !lr_is_recording()) return;
  // A server may mark `ready` at each health check, and must not take the places of milestones that count.
  if (!is_kept || !lr_reserve_mark(lr_own_writer(), name, name_length, time)) lr_count_dropped(1);
}
#endif
