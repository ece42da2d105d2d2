// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_clock.h"
#include "lr_packet.h"
#include "lr_recorder.h"

#include <stdbool.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include "lr_start_code.h"

// Each thread converts ticks with a straight line through two readings of both clocks. A line is used for at most four
// times the period it was measured over. So its error stays at a few times that of one reading (some ten
// nanoseconds). Then a new line continues from the end of the old one: no thread's time ever runs backwards.
#define LR_SHORTEST_BASELINE_NS 1000000u
#define LR_LONGEST_WINDOW_NS 100000000u
// After this many calibrations that find another rate, a thread keeps to the system clock.
#define LR_MOST_FAILURES 3u
// A reading of both clocks that takes so long is exact enough, ns. A system call takes longer than the vDSO.
#define LR_ENOUGH 130u
#define LR_ENOUGH_FOR_CALL 660u

uint64_t lr_clock_read(int clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
uint64_t lr_monotonic_now(void) { return lr_clock_read(CLOCK_MONOTONIC); }
uint64_t lr_wall_clock_now(void) { return lr_clock_read(CLOCK_REALTIME); }

lr_clock_kind lr_clock_candidate(void) {
#if defined(__x86_64__)
  return LR_CLOCK_TSC;
#elif defined(__aarch64__)
  return LR_CLOCK_CNTVCT;
#else
  return LR_CLOCK_VDSO;
#endif
}

/// The counter's rate as the launcher reported it; 0: not reported.
static uint64_t lr_known_rate;

#if defined(__aarch64__)
/// How fast the counter counts (Arm ARM, CNTFRQ_EL0): 1 MHz to 1 GHz. The upper half of the register is reserved.
static uint64_t lr_counter_hertz(void) {
  uint64_t hertz;
  __asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz & UINT32_MAX;
}
#endif

/// Whether a rate can be that of the counter. The launcher may run on another machine than the program, which an emulator
/// runs, and then has another counter.
static bool lr_is_rate_of_counter(uint64_t rate) {
#if defined(__aarch64__)
  uint64_t hertz = lr_counter_hertz();
  uint64_t own = hertz ? (UINT64_C(1000000000) << 32) / hertz : 0;
  return rate >= own - own / 100 && rate <= own + own / 100;
#else
  return rate != 0;
#endif
}

void lr_clock_know(uint64_t rate) {
  // Between 1 MHz and 16 GHz; any other rate is an error.
  bool is_likely = rate >= UINT64_C(1) << 28 && rate <= UINT64_C(1000) << 32;
  if (is_likely && lr_clock_candidate() != LR_CLOCK_VDSO && lr_is_rate_of_counter(rate)) lr_known_rate = rate;
}

/// Whether the counter's rate is constant. Checked at the first calibration, not at start-up: in a virtual machine
/// CPUID traps, about ten microseconds.
static bool lr_has_constant_rate(void) {
  if (lr_known_rate) return true;
#if defined(__x86_64__)
  static int answer;
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    unsigned a, b, c, d;
    // Advanced power management, EDX bit 8: invariant TSC (AMD APM 3, CPUID 8000_0007; Intel SDM 2A). A processor
    // without the leaf returns something else. The following calibrations detect that.
    __cpuid(0x80000007, a, b, c, d);
    known = d >> 8 & 1 ? 1 : -1;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known > 0;
#elif defined(__aarch64__)
  // The generic timer's rate is constant by architecture (Arm ARM, chapter D12).
  return true;
#else
  return false;
#endif
}

/// 0: not asked yet; 1: LR_SPREAD_MASK must not be used.
static uint64_t lr_spread_answer;

uint64_t lr_known_spread_mask(void) { return __atomic_load_n(&lr_spread_answer, __ATOMIC_RELAXED) & LR_SPREAD_MASK; }

/// LR_SPREAD_MASK, or 0 where pdep does not exist or takes longer than other instructions. Not asked at start-up either.
static uint64_t lr_spread_mask(void) {
#if defined(__x86_64__)
  if (__atomic_load_n(&lr_spread_answer, __ATOMIC_RELAXED)) return lr_known_spread_mask();
  unsigned a, b, c, d;
  // Family, and ECX bit 28: AVX. A processor with AVX has the leaf of BMI2, which is EBX bit 8 (Intel SDM 2A, CPUID).
  __cpuid(1, a, b, c, d);
  unsigned family = (a >> 8 & 15) + ((a >> 8 & 15) == 15 ? a >> 20 & 255 : 0);
  bool has_leaf = c >> 28 & 1;
  if (has_leaf) __cpuid_count(7, 0, a, b, c, d);
  // AMD's processors before Zen 3 run it as a program of their own: families 15h to 18h.
  bool is_fast = has_leaf && b >> 8 & 1 && (family < 0x15 || family > 0x18);
  __atomic_store_n(&lr_spread_answer, is_fast ? LR_SPREAD_MASK : 1, __ATOMIC_RELAXED);
  return lr_known_spread_mask();
#else
  return 0;
#endif
}

/// Ticks in a time of less than a second, about. The counter of x86-64 does not say how fast it counts, some 3 GHz; those of
/// arm64 do, and differ.
static uint64_t lr_ticks_in(uint64_t ns) {
#if defined(__aarch64__)
  return ns * lr_counter_hertz() / 1000000000u;
#else
  return ns * 3;
#endif
}

typedef struct lr_reading {
  uint64_t ticks, ns;
} lr_reading;

/// Both clocks at one moment: the tightest of three tries, so that an interrupt between the reads does not distort it. A
/// try that takes `enough` ns or less is the last.
static lr_reading lr_read_both(uint64_t read_clock(int), uint64_t enough) {
  lr_reading best = {0, 0};
  uint64_t best_gap = UINT64_MAX, enough_ticks = lr_ticks_in(enough);
  for (int i = 0; i < 3; i++) {
    uint64_t before = lr_ticks();
    uint64_t ns = read_clock(CLOCK_MONOTONIC);
    uint64_t gap = lr_ticks() - before;
    if (gap < best_gap) {
      best_gap = gap;
      best = (lr_reading){before + gap / 2, ns};
    }
    if (gap <= enough_ticks) break;
  }
  return best;
}

static uint64_t lr_convert(const lr_writer *writer, uint64_t ticks) {
  return writer->clock_ns + (uint64_t)((unsigned __int128)(ticks - writer->clock_ticks) * writer->clock_rate >> 32);
}

/// The time at `now`, never before a time returned already, unless the counter jumped.
static uint64_t lr_not_before(const lr_writer *writer, lr_reading now) {
  uint64_t given = writer->clock_rate ? lr_convert(writer, now.ticks) : writer->clock_ns;
  return given > now.ns && given - now.ns < LR_SHORTEST_BASELINE_NS ? given : now.ns;
}

static void lr_anchor(lr_writer *writer, lr_reading now) {
  writer->anchor_ticks = now.ticks;
  writer->anchor_ns = now.ns;
}

void lr_clock_set(lr_writer *writer, uint64_t ticks, uint64_t ns) {
  uint64_t stamp = lr_spread(ns);
  writer->clock_ticks = ticks;
  writer->clock_ns = ns;
  writer->clock_rate = writer->clock_window = 0;
  writer->head = UINT64_C(0x40160a) | stamp << 24;
  writer->tail = stamp >> 40 | (ns >> 56) << 24 | (uint64_t)lr_sequence_field(writer->sequence) << 32 | UINT64_C(0x5a) << 56;
}

#define LR_LOWER_NS (UINT64_C(1) << 28)

uint64_t lr_clock_run(lr_writer *writer, uint64_t rate, uint64_t window_ns) {
  uint64_t lower = writer->clock_ns & (LR_LOWER_NS - 1), end = lower + window_ns < LR_LOWER_NS ? lower + window_ns : LR_LOWER_NS;
  // The ticks since the lower bits were zero, rounded up, so that no time is returned twice.
  uint64_t ticks = ((lower << 32) + rate - 1) / rate;
  writer->line_end = writer->clock_ns + window_ns;
  lr_clock_set(writer, writer->clock_ticks - ticks, writer->clock_ns - lower);
  writer->clock_rate = rate;
  writer->clock_window = (end << 32) / rate;
  uint64_t elapsed = ticks * rate >> 32;
  return elapsed < LR_LOWER_NS ? elapsed : LR_LOWER_NS - 1;
}

/// Starts a new line from the anchor to `now`. Returns the same as lr_elapsed.
static uint64_t lr_calibrate(lr_writer *writer, lr_reading now) {
  uint64_t elapsed_ns = now.ns - writer->anchor_ns, elapsed_ticks = now.ticks - writer->anchor_ticks;
  uint64_t rate = (uint64_t)(((unsigned __int128)elapsed_ns << 32) / elapsed_ticks);
  uint64_t old = writer->clock_rate;
  writer->spread_mask = lr_spread_mask();
  lr_anchor(writer, now);
  lr_clock_set(writer, now.ticks, lr_not_before(writer, now));
  // The counter stopped, jumped or changed its rate (suspension, migration): measure again from here.
  if (rate == 0 || (old && (rate > old + old / 100 || rate < old - old / 100))) {
    writer->clock_failures++;
    return 0;
  }
  uint64_t window_ns = elapsed_ns * 4 < LR_LONGEST_WINDOW_NS ? elapsed_ns * 4 : LR_LONGEST_WINDOW_NS;
  // Ahead of the system clock: run slower for one window, to meet it at the window's end.
  uint64_t ahead = writer->clock_ns - now.ns;
  if (ahead > window_ns / 2) ahead = window_ns / 2;
  return lr_clock_run(writer, (uint64_t)((unsigned __int128)rate * (window_ns - ahead) / window_ns), window_ns);
}

/// The first line of a writer: it passes through `now` at the launcher's rate.
static uint64_t lr_begin_with_known_rate(lr_writer *writer) {
  lr_reading now = lr_read_both(lr_clock_ask, LR_ENOUGH_FOR_CALL);
  lr_anchor(writer, now);
  lr_clock_set(writer, now.ticks, now.ns);
  return lr_clock_run(writer, lr_known_rate, 4 * LR_SHORTEST_BASELINE_NS);
}

uint64_t lr_clock_slow(lr_writer *writer) {
  if (writer->anchor_ticks == 0 && lr_known_rate) return lr_begin_with_known_rate(writer);
  uint64_t ticks = lr_ticks(), ns = lr_convert(writer, ticks), rate = writer->clock_rate;
  // The lower bits are used up, but the line is still valid.
  if (rate && ns - writer->clock_ns < writer->line_end - writer->clock_ns) {
    lr_clock_set(writer, ticks, ns);
    return lr_clock_run(writer, rate, writer->line_end - ns);
  }
  bool uses_counter = writer->clock_failures <= LR_MOST_FAILURES;
  lr_reading now = uses_counter ? lr_read_both(lr_clock_read, LR_ENOUGH) : (lr_reading){0, lr_clock_read(CLOCK_MONOTONIC)};
  bool is_first = uses_counter && (writer->anchor_ticks == 0 || now.ticks <= writer->anchor_ticks);
  bool is_measured = uses_counter && !is_first && now.ns - writer->anchor_ns >= LR_SHORTEST_BASELINE_NS;
  if (is_first) lr_anchor(writer, now);
  if (is_measured && lr_has_constant_rate()) return lr_calibrate(writer, now);
  if (is_measured) writer->clock_failures = LR_MOST_FAILURES + 1;
  lr_clock_set(writer, now.ticks, lr_not_before(writer, now));
  return 0;
}
#endif
