// SPDX-License-Identifier: Apache-2.0

// Stacks of the sampler beside those that libunwind makes at the same place.
#define UNW_LOCAL_ONLY
#include "program.h"

#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unwind.h>

#include <algorithm>
#include <vector>

namespace {

/// What libunwind finds, from within the handler: nothing here holds a lock that it needs.
struct Truth {
  uint64_t addresses[LR_DEEPEST];
  uint32_t count;
};

lr_snapshot snapshot;
Truth truth;
volatile sig_atomic_t isTaken;
volatile uint64_t sink;

#define NAME_OF(function) NAME_OF_(function)
#define NAME_OF_(function) #function

/// libunwind for its own process, loaded for this only: linked, it would handle the program's C++ exceptions.
struct Libunwind {
  decltype(&unw_init_local2) initialize;
  decltype(&unw_step) step;
  decltype(&unw_get_reg) get;

  bool load() {
    void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    initialize = reinterpret_cast<decltype(initialize)>(dlsym(library, NAME_OF(unw_init_local2)));
    step = reinterpret_cast<decltype(step)>(dlsym(library, NAME_OF(unw_step)));
    get = reinterpret_cast<decltype(get)>(dlsym(library, NAME_OF(unw_get_reg)));
    return initialize && step && get;
  }
};

Libunwind libunwind;

#if defined(__ARM_FEATURE_PAC_DEFAULT)
/// libunwind 1.6 cannot follow signed return addresses, but the compiler's own unwinder can.
constexpr bool hasSignatures = true;
#else
constexpr bool hasSignatures = false;
#endif

/// The frames outside of the handler's.
_Unwind_Reason_Code add(_Unwind_Context *frame, void *interrupted) {
  uint64_t address = _Unwind_GetIP(frame);
  bool isOutside = truth.count > 0 || address == *static_cast<uint64_t *>(interrupted);
  if (isOutside && address != 0 && truth.count < LR_DEEPEST) truth.addresses[truth.count++] = address;
  return _URC_NO_REASON;
}

void handle(int, siginfo_t *, void *context) {
  if (isTaken) return;
  int error = errno;
  lr_snapshot_take(&snapshot, context);
  truth.count = 0;
  if (hasSignatures) _Unwind_Backtrace(add, &snapshot.pc);
  unw_cursor_t cursor;
  libunwind.initialize(&cursor, static_cast<unw_context_t *>(context), UNW_INIT_SIGNAL_FRAME);
  while (!hasSignatures && truth.count < LR_DEEPEST) {
    unw_word_t ip = 0;
    libunwind.get(&cursor, UNW_REG_IP, &ip);
    if (ip == 0) break;
    truth.addresses[truth.count++] = ip;
    if (libunwind.step(&cursor) <= 0) break;
  }
  isTaken = 1;
  errno = error;
}

bool isSame(const lr_stack &ours) {
  bool isSame = ours.count == truth.count && memcmp(ours.addresses, truth.addresses, 8 * ours.count) == 0;
  if (!isSame && getenv("SAMPLER_VERBOSE")) {
    for (uint32_t i = 0; i < std::max(ours.count, truth.count); i++)
      fprintf(stderr, "%2u %#lx %#lx\n", i, i < ours.count ? ours.addresses[i] : 0,
              i < truth.count ? truth.addresses[i] : 0);
    fprintf(stderr, "\n");
  }
  return isSame;
}

int compare(const void *left, const void *right) {
  sink = sink + 1;
  return *static_cast<const int *>(left) - *static_cast<const int *>(right);
}

__attribute__((noinline)) uint64_t recurse(int depth) {
  volatile char room[64];
  room[depth % 64] = static_cast<char>(depth);
  if (depth > 0) return recurse(depth - 1) + static_cast<uint64_t>(room[depth % 64]);
  int numbers[200];
  for (int i = 0; i < 200; i++) numbers[i] = (i * 7919) % 211;
  qsort(numbers, 200, sizeof numbers[0], compare);
  return static_cast<uint64_t>(numbers[3]);
}

/// Stacks of all kinds: own code, libc's, the allocator's, callbacks through libc, deep ones.
__attribute__((noinline)) void work(int round) {
  char text[512];
  snprintf(text, sizeof text, "%d %s %f", round, "text", round * 0.5);
  sink = sink + strlen(text);
  std::vector<int> numbers(static_cast<size_t>(100 + round % 900));
  for (size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<int>(i * 31 % 97);
  std::sort(numbers.begin(), numbers.end());
  void *blocks[32];
  for (int i = 0; i < 32; i++) blocks[i] = malloc(static_cast<size_t>(16 + (round * i) % 4000));
  for (void *block : blocks) free(block);
  memset(text, round, sizeof text);
  sink = sink + recurse(round % 40);
}

}  // namespace

int compareStacks(uint64_t wanted) {
  if (!libunwind.load()) {
    fprintf(stderr, "libunwind.so.8 cannot be loaded\n");
    return 1;
  }
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  timer_t timer;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const itimerspec interval = {{0, 397000}, {0, 397000}};
  timer_settime(timer, 0, &interval, nullptr);

  uint64_t stacks = 0, same = 0, sameFirst = 0, frames = 0, framePointers = 0, unwinding = 0;
  lr_stack stack;
  for (int round = 0; stacks < wanted; round++) {
    work(round);
    if (!isTaken) continue;
    stacks++;
    uint64_t before = monotonicTime();
    lr_unwind(&snapshot, LR_LIBUNWIND, &stack);
    uint64_t between = monotonicTime();
    unwinding += between - before;
    same += isSame(stack);
    between = monotonicTime();
    lr_unwind(&snapshot, LR_FRAME_POINTERS_FIRST, &stack);
    framePointers += monotonicTime() - between;
    sameFirst += isSame(stack);
    frames += truth.count;
    isTaken = 0;
  }
  timer_delete(timer);
  printf("stacks %lu\nsame %lu\nsame_first %lu\nframes %lu\n", stacks, same, sameFirst, frames);
  printf("unwind_ns %lu\nfirst_ns %lu\n", unwinding / stacks, framePointers / stacks);
  return 0;
}
