#include "lr_clock.h"
#include "lr_writer.h"

#if defined(__linux__)
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Each thread converts with a straight line through two readings of both clocks. A line is used for at most four times
// as long as it was measured over, and at most 2^LR_WINDOW_BITS ticks, so its error stays below some ten nanoseconds
// times four; then it is drawn anew, continuously: no thread's time ever runs backwards.
#define LR_SHORTEST_BASELINE_NS 1000000u
#define LR_LONGEST_WINDOW_NS 100000000u

static lr_clock_kind lr_kind = LR_CLOCK_VDSO;

uint64_t lr_clock_read(int clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void lr_clock_start(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  // Advanced power management, EDX bit 8: invariant TSC (AMD APM 3, CPUID 8000_0007; Intel SDM 2A). Asked once and
  // without asking first whether the leaf is there: the instruction traps in a virtual machine. A processor that has
  // not got it answers something else, which the calibration finds out.
  __cpuid(0x80000007, a, b, c, d);
  if (d >> 8 & 1) lr_kind = LR_CLOCK_TSC;
#elif defined(__aarch64__)
  // The generic timer's virtual count has a constant rate by architecture (Arm ARM, D12).
  lr_kind = LR_CLOCK_CNTVCT;
#endif
}

lr_clock_kind lr_clock_kind_get(void) { return lr_kind; }

typedef struct lr_reading {
  uint64_t ticks, ns;
} lr_reading;

/// Both clocks at one moment: the tightest of three tries, so that an interrupt between the reads does not count.
static lr_reading lr_read_both(void) {
  lr_reading best = {0, 0};
  uint64_t best_gap = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    uint64_t before = lr_ticks();
    uint64_t ns = lr_clock_read(CLOCK_MONOTONIC);
    uint64_t gap = lr_ticks() - before;
    if (gap < best_gap) {
      best_gap = gap;
      best = (lr_reading){before + gap / 2, ns};
    }
    if (gap < 400) break;
  }
  return best;
}

static uint64_t lr_convert(const lr_writer *writer, uint64_t ticks) {
  return writer->clock_ns + (uint64_t)((unsigned __int128)(ticks - writer->clock_ticks) * writer->clock_rate >> 32);
}

static void lr_anchor(lr_writer *writer, lr_reading now) {
  writer->anchor_ticks = now.ticks;
  writer->anchor_ns = now.ns;
}

/// Draws the line anew from the anchor to `now`. Returns the time at `now`, never before what was given out already.
static uint64_t lr_calibrate(lr_writer *writer, lr_reading now) {
  uint64_t elapsed_ns = now.ns - writer->anchor_ns, elapsed_ticks = now.ticks - writer->anchor_ticks;
  uint64_t given = writer->clock_rate ? lr_convert(writer, now.ticks) : writer->clock_ns;
  uint64_t rate = (uint64_t)(((unsigned __int128)elapsed_ns << 32) / elapsed_ticks);
  uint64_t old = writer->clock_rate;
  // The counter stopped, jumped or changed its rate (suspension, migration): measure again from here.
  if (old && (rate > old + old / 100 || rate < old - old / 100)) {
    writer->clock_rate = writer->clock_window = 0;
    writer->clock_failures++;
    lr_anchor(writer, now);
    writer->clock_ns = given > now.ns && given - now.ns < LR_SHORTEST_BASELINE_NS ? given : now.ns;
    return writer->clock_ns;
  }
  uint64_t window_ns = elapsed_ns * 4 < LR_LONGEST_WINDOW_NS ? elapsed_ns * 4 : LR_LONGEST_WINDOW_NS;
  uint64_t start = given > now.ns ? given : now.ns;
  // Ahead of the system's clock: run slower for one window to meet it at the window's end.
  uint64_t ahead = start - now.ns;
  if (ahead > window_ns / 2) ahead = window_ns / 2;
  writer->clock_rate = (uint64_t)((unsigned __int128)rate * (window_ns - ahead) / window_ns);
  writer->clock_ticks = now.ticks;
  writer->clock_ns = start;
  writer->clock_window = (uint64_t)(((unsigned __int128)window_ns << 32) / rate);
  lr_anchor(writer, now);
  return start;
}

uint64_t lr_clock_slow(lr_writer *writer) {
  if (lr_kind == LR_CLOCK_VDSO || writer->clock_failures > 3) {
    uint64_t ns = lr_clock_read(CLOCK_MONOTONIC);
    return ns > writer->clock_ns ? ns : writer->clock_ns;
  }
  lr_reading now = lr_read_both();
  if (writer->anchor_ticks == 0 || now.ticks <= writer->anchor_ticks) {
    lr_anchor(writer, now);
  } else if (now.ns - writer->anchor_ns >= LR_SHORTEST_BASELINE_NS) {
    return lr_calibrate(writer, now);
  }
  return now.ns > writer->clock_ns ? now.ns : writer->clock_ns;
}
#endif
