// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

// The launch screen was shown before the first line of the program ran, so its interval begins in the past. It cannot
// use a lane, because other intervals have used that.
static struct {
  pthread_mutex_t lock;
  uint64_t track;
  bool has_ended;
} lr_screen = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lr_begin_screen(lr_writer *writer, const char *name, size_t name_length) {
  uint64_t track = lr_new_track();
  lr_packet packet;
  if (!lr_write_track(writer, track, LR_LITERAL(LS_EVENT_LAUNCH_SCREEN), 0)) return;
  uint64_t start = lr_start_of_process.start;
  if (!lr_event_open(&packet, writer, start, LR_BEGIN, track, 48 + LR_ANNOTATION + lr_bound(name_length))) return;
  lr_event_name(&packet, LS_CATEGORY_SCREEN, LR_LITERAL(LS_EVENT_LAUNCH_SCREEN));
  if (name_length) lr_annotate_string(&packet, LR_LITERAL(LS_KEY_NAME), name, name_length);
  lr_event_close(&packet);
  lr_screen.track = track;
}

void lr_screen_begin(const char *name, size_t name_length) {
  if (!lr_is_recording()) return;
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  pthread_mutex_lock(&lr_screen.lock);
  if (lr_screen.track == 0) lr_begin_screen(writer, name, name_length);
  pthread_mutex_unlock(&lr_screen.lock);
}

void lr_screen_end(uint64_t time) {
  lr_writer *writer = lr_is_recording() ? lr_writer_get() : NULL;
  if (writer == NULL) return;
  pthread_mutex_lock(&lr_screen.lock);
  lr_packet packet;
  if (lr_screen.track && !lr_screen.has_ended &&
      lr_event_open(&packet, writer, time ? time : lr_now(writer), LR_END, lr_screen.track, 0)) {
    lr_event_close(&packet);
    lr_screen.has_ended = true;
  }
  pthread_mutex_unlock(&lr_screen.lock);
}
#endif
