// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>

// A thread keeps a few free lanes; the rest are in a shared stack.
#define LR_MOST_LANES 65536u
static struct {
  pthread_mutex_t lock;
  uint32_t count;
  uint32_t free_count;
  /// Room for LR_MOST_LANES each.
  lr_lane *all, **free;
} lr_lanes = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Allocates memory before the first lane. The caller holds the lock.
static bool lr_lanes_are_there(void) {
  if (lr_lanes.free == NULL) lr_lanes.free = lr_zeroed(LR_MOST_LANES * sizeof *lr_lanes.free);
  if (lr_lanes.all == NULL) lr_lanes.all = lr_zeroed(LR_MOST_LANES * sizeof *lr_lanes.all);
  return lr_lanes.free && lr_lanes.all;
}

bool lr_write_track(lr_writer *writer, uint64_t track, const char *name, size_t length, uint32_t counter_unit) {
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, 64 + length)) return false;
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, track);
  lr_put_varint(&packet, 5, lr_process_track());
  lr_put_string(&packet, 2, name, length);
  if (counter_unit) {
    uint32_t counter = lr_message_open(&packet, 8);
    lr_put_varint(&packet, 3, counter_unit);
    lr_message_close(&packet, counter);
  }
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
  return true;
}

/// Prepares the lane's track, and the words of its records that contain the track.
static void lr_lane_prepare(lr_lane *lane, uint64_t track) {
  uint64_t spread = lr_spread(track), last = track >> 56;
  lane->track = track;
  lane->begin[0] = UINT64_C(0x58) | spread << 8;
  lane->begin[1] = spread >> 56 | last << 8 | UINT64_C(0x047a) << 16;
  lane->end[0] = UINT64_C(0x5802480c) | spread << 32;
  lane->end[1] = spread >> 32 | last << 32 | UINT64_C(0x017a) << 40;
}

lr_lane *lr_lane_take_any(lr_writer *writer) {
  lr_lane *lane = NULL;
  bool is_new = false;
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count > 0) {
    lane = lr_lanes.free[--lr_lanes.free_count];
  } else if (lr_lanes.count < LR_MOST_LANES && lr_lanes_are_there()) {
    lane = &lr_lanes.all[lr_lanes.count++];
    lr_lane_prepare(lane, lr_process_track() + (UINT64_C(1) << 40) + lr_lanes.count);
    is_new = true;
  }
  pthread_mutex_unlock(&lr_lanes.lock);
  // All are taken, or there is no memory.
  if (lane == NULL) lr_count_dropped(1);
  // Lanes differ by the number of their track: all are called `async`.
  return is_new && !lr_write_track(writer, lane->track, LR_LITERAL("async"), 0) ? NULL : lane;
}

void lr_lane_give_any(lr_lane *lane) {
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count < LR_MOST_LANES) lr_lanes.free[lr_lanes.free_count++] = lane;
  pthread_mutex_unlock(&lr_lanes.lock);
}

#endif
