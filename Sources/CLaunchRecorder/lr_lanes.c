#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>

#define LR_MOST_LANES 65536u

// A lane is a track on which one async interval lies at a time. Threads keep a few free ones; the rest lie in a stack.
static struct {
  pthread_mutex_t lock;
  uint32_t count;
  uint32_t free_count;
  /// Room for LR_MOST_LANES, and one more of `lanes` for the lane 0 that is none.
  uint32_t *free;
  lr_lane *lanes;
} lr_lanes = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Makes room at the first lane. The caller holds the lock.
static bool lr_lanes_are_there(void) {
  if (lr_lanes.free == NULL) lr_lanes.free = lr_zeroed(LR_MOST_LANES * sizeof *lr_lanes.free);
  if (lr_lanes.lanes == NULL) lr_lanes.lanes = lr_zeroed((LR_MOST_LANES + 1) * sizeof *lr_lanes.lanes);
  return lr_lanes.free && lr_lanes.lanes;
}

uint64_t lr_lane_track(uint32_t lane) { return lr_process_track() + (UINT64_C(1) << 40) + lane; }

/// Says that the track is there, before its first event. Tracks are told apart by number: all are called `async`.
static bool lr_write_lane(lr_writer *writer, uint32_t lane) {
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, 64)) return false;
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, lr_lane_track(lane));
  lr_put_varint(&packet, 5, lr_process_track());
  lr_put_string(&packet, 2, LR_LITERAL("async"));
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
  return true;
}

/// A free lane, 0 for none.
uint32_t lr_lane_take(lr_writer *writer) {
  if (writer->free_lane_count > 0) return writer->free_lanes[--writer->free_lane_count];
  uint32_t lane = 0;
  bool is_new = false;
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count > 0) {
    lane = lr_lanes.free[--lr_lanes.free_count];
  } else if (lr_lanes.count < LR_MOST_LANES && lr_lanes_are_there()) {
    lane = ++lr_lanes.count;
    is_new = true;
  }
  pthread_mutex_unlock(&lr_lanes.lock);
  if (is_new && !lr_write_lane(writer, lane)) return 0;
  return lane;
}

void lr_lane_give(lr_writer *writer, uint32_t lane) {
  if (writer->free_lane_count < (int32_t)(sizeof writer->free_lanes / sizeof writer->free_lanes[0])) {
    writer->free_lanes[writer->free_lane_count++] = lane;
    return;
  }
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count < LR_MOST_LANES) lr_lanes.free[lr_lanes.free_count++] = lane;
  pthread_mutex_unlock(&lr_lanes.lock);
}

lr_async lr_lane_interval(const lr_writer *writer, uint32_t lane, uint64_t start, uint64_t budget) {
  lr_lane *taken = &lr_lanes.lanes[lane];
  taken->budget = budget;
  taken->thread = writer->thread;
  return (lr_async){start, lane, __atomic_load_n(&taken->turn, __ATOMIC_RELAXED)};
}

lr_lane lr_lane_get(uint32_t lane) { return lr_lanes.lanes[lane]; }

bool lr_lane_claim_end(lr_async interval) {
  uint32_t turn = interval.turn;
  return interval.lane <= LR_MOST_LANES &&
         __atomic_compare_exchange_n(&lr_lanes.lanes[interval.lane].turn, &turn, turn + 1, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}
#endif
