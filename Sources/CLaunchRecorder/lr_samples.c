// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <string.h>

enum { LR_PACKET_PERF_SAMPLE = 66, LR_INTERNED_FRAMES = 6, LR_INTERNED_STACKS = 7 };

/// A sample of CPU time means that the thread ran. A sample of a clock that continues while the thread waits does not.
static void lr_write_sampler(lr_writer *writer, uint64_t period, bool is_cpu_time) {
  lr_packet packet;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, 64 + 2 * LR_ANNOTATION)) return;
  lr_event_name(&packet, LS_CATEGORY_SAMPLER, LR_LITERAL(LS_EVENT_SAMPLER));
  const char *clock = is_cpu_time ? LS_CLOCK_CPU : LS_CLOCK_MONOTONIC;
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_CLOCK), clock, strlen(clock));
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_PERIOD_NS), period);
  lr_event_close(&packet);
}

bool lr_write_sample_period(uint64_t period, bool is_cpu_time) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return false;
  lr_write_sampler(writer, period, is_cpu_time);
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, 96)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  uint32_t defaults = lr_message_open(&packet, LR_PACKET_DEFAULTS);
  lr_put_varint(&packet, 58, 3);
  uint32_t event = lr_message_open(&packet, LR_PACKET_TRACK_EVENT);
  lr_put_varint(&packet, LR_EVENT_TRACK, writer->track);
  lr_message_close(&packet, event);
  uint32_t sample = lr_message_open(&packet, 12);
  uint32_t timebase = lr_message_open(&packet, 1);
  // PERF_COUNT_SW_CPU_CLOCK counts ns, by CLOCK_MONOTONIC (perf_events.proto: 1 and 2).
  lr_put_varint(&packet, 1, period);
  lr_put_varint(&packet, 4, 1);
  lr_put_varint(&packet, 11, 2);
  lr_message_close(&packet, timebase);
  lr_message_close(&packet, sample);
  lr_message_close(&packet, defaults);
  lr_packet_close(&packet);
  return true;
}

bool lr_write_image(uint64_t image, const char *path, const uint8_t *build_id, size_t build_id_size) {
  // Components are joined by slashes, so one component is enough for a whole path.
  if (*path == '/') path++;
  size_t length = strlen(path);
  lr_packet packet;
  if (!lr_interning_open(&packet, lr_writer_get(), 96 + lr_bound(length) + build_id_size)) return false;
  uint32_t string = lr_message_open(&packet, 17);
  lr_put_varint(&packet, 1, image);
  lr_put_foreign_string(&packet, 2, path, length);
  lr_message_close(&packet, string);
  if (build_id_size > 0) {
    uint32_t id = lr_message_open(&packet, 16);
    lr_put_varint(&packet, 1, image);
    lr_put_string(&packet, 2, (const char *)build_id, build_id_size);
    lr_message_close(&packet, id);
  }
  uint32_t mapping = lr_message_open(&packet, 19);
  lr_put_varint(&packet, 1, image);
  if (build_id_size > 0) lr_put_varint(&packet, 2, image);
  lr_put_varint(&packet, 7, image);
  lr_message_close(&packet, mapping);
  return lr_interning_close(&packet);
}

bool lr_write_frame(uint64_t frame, uint64_t image, uint64_t address) {
  lr_packet packet;
  if (!lr_interning_open(&packet, lr_writer_get(), 64)) return false;
  uint32_t message = lr_message_open(&packet, LR_INTERNED_FRAMES);
  lr_put_varint(&packet, 1, frame);
  lr_put_varint(&packet, 3, image);
  lr_put_varint(&packet, 4, address);
  lr_message_close(&packet, message);
  return lr_interning_close(&packet);
}

bool lr_write_stack(uint64_t stack, const uint32_t *frames, size_t count) {
  lr_packet packet;
  if (!lr_interning_open(&packet, lr_writer_get(), 48 + 6 * count)) return false;
  uint32_t message = lr_message_open(&packet, LR_INTERNED_STACKS);
  lr_put_varint(&packet, 1, stack);
  for (size_t i = 0; i < count; i++) lr_put_varint(&packet, 2, frames[i]);
  lr_message_close(&packet, message);
  return lr_interning_close(&packet);
}

bool lr_write_sample(uint64_t time, int32_t thread, uint64_t stack) {
  lr_writer *writer = lr_writer_get();
  lr_packet packet;
  if (writer == NULL || !lr_packet_open(&packet, writer, 64)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  lr_put_varint(&packet, LR_PACKET_TIMESTAMP, time);
  uint32_t sample = lr_message_open(&packet, LR_PACKET_PERF_SAMPLE);
  lr_put_varint(&packet, 2, (uint64_t)lr_process_id());
  lr_put_varint(&packet, 3, (uint64_t)thread);
  lr_put_varint(&packet, 4, stack);
  lr_put_varint(&packet, 5, 2);
  lr_message_close(&packet, sample);
  lr_packet_close(&packet);
  return true;
}
#endif
