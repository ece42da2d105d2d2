// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_snapshot.h"

#include "CLaunchRecorder.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define LR_PAGE 4096u
/// The area below the stack pointer that signals leave alone (System V ABI, x86-64). Between a function's last `pop`
/// and its `ret` the saved frame pointer is there.
#define LR_RED_ZONE 128u

/// Whether a page can be read. rt_sigprocmask(2) reads the new mask before it rejects the invalid first argument:
/// EFAULT or EINVAL, and nothing is changed.
static bool lr_is_readable(uint64_t page) {
  return syscall(SYS_rt_sigprocmask, ~0, page, NULL, 8) == 0 || errno != EFAULT;
}

/// By words, and volatile: sanitizers would report the parts of a stack between its variables as an error.
__attribute__((no_sanitize("address", "thread"))) static void lr_copy_words(uint64_t *to, uint64_t from, size_t count) {
  const volatile uint64_t *words = (const volatile uint64_t *)(uintptr_t)from;
  for (size_t i = 0; i < count; i++) to[i] = words[i];
}

static void lr_copy_stack(lr_snapshot *snapshot) {
  uint64_t at = snapshot->stack_start = (snapshot->stack_pointer - LR_RED_ZONE) & ~UINT64_C(7);
  snapshot->size = 0;
  while (snapshot->size < LR_STACK_BYTES) {
    uint64_t page = at & ~(uint64_t)(LR_PAGE - 1), bytes = page + LR_PAGE - at;
    if (bytes > LR_STACK_BYTES - snapshot->size) bytes = LR_STACK_BYTES - snapshot->size;
    if (!lr_is_readable(page)) return;
    lr_copy_words(snapshot->stack + snapshot->size / 8, at, bytes / 8);
    snapshot->size += bytes;
    at += bytes;
  }
}

void lr_snapshot_take(lr_snapshot *snapshot, const void *context) {
  const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
  snapshot->time = lr_monotonic_now();
#if defined(__x86_64__)
  static const int order[LR_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                          REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < LR_REGISTERS; i++) snapshot->registers[i] = (uint64_t)machine->gregs[order[i]];
  snapshot->pc = snapshot->registers[16];
  snapshot->stack_pointer = snapshot->registers[7];
#elif defined(__aarch64__)
  for (int i = 0; i < 31; i++) snapshot->registers[i] = machine->regs[i];
  snapshot->registers[31] = snapshot->stack_pointer = machine->sp;
  snapshot->registers[32] = snapshot->pc = machine->pc;
#endif
  lr_copy_stack(snapshot);
}

bool lr_snapshot_read(const lr_snapshot *snapshot, uint64_t address, uint64_t *value) {
  uint64_t offset = address - snapshot->stack_start;
  if (snapshot->size < 8 || offset > snapshot->size - 8) return false;
  memcpy(value, (const uint8_t *)snapshot->stack + offset, 8);
  return true;
}
#endif
