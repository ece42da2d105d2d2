// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_unwind.h"

#include <string.h>

// Uses frame pointers where they can be trusted.
//
// A frame pointer leads to the caller only after a function has set it up. It does not in the function's first and last
// instructions, nor in code that was compiled without frame pointers. The unwind tables decide this once for each
// address. libunwind makes one step from the address. If the result is the same as with the frame pointer, frames at
// this address are always found by the frame pointer. (A function without a frame pointer leaves its caller's in the
// register. That one is above its own frame, so a step with it never gives the same result.) The function saves other
// registers at fixed places beside the frame pointer. So all registers are known when unwinding continues with the
// tables.

#if defined(__x86_64__)
enum { LR_FP = 6, LR_SP = 7, LR_PC = 16, LR_KNOWS_SIGNALS_BY_CODE = 0 };
static const uint8_t lr_preserved[] = {3, 12, 13, 14, 15};
#elif defined(__aarch64__)
enum { LR_FP = 29, LR_LINK = 30, LR_SP = 31, LR_PC = 32, LR_KNOWS_SIGNALS_BY_CODE = 1 };
static const uint8_t lr_preserved[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
#endif
#define LR_PRESERVED (sizeof lr_preserved)

/// A register that a function has not saved.
#define LR_UNSAVED INT16_MIN
#define LR_RULES_LOG2 12

typedef enum lr_rule_kind { LR_UNKNOWN, LR_BY_TABLES, LR_BY_FRAME_POINTER, LR_WITHOUT_TABLES } lr_rule_kind;

/// How to find the caller at an address. Offsets are from the frame pointer.
typedef struct lr_rule {
  uint64_t pc;
  uint8_t kind;
  int16_t caller_stack;
  int16_t saved[LR_PRESERVED];
} lr_rule;

static lr_rule lr_rules[1u << LR_RULES_LOG2];
static uint32_t lr_rule_count;

void lr_frames_forget(void) {
  memset(lr_rules, 0, sizeof lr_rules);
  lr_rule_count = 0;
}

static lr_rule *lr_rule_at(uint64_t pc) {
  uint32_t mask = (1u << LR_RULES_LOG2) - 1;
  for (uint32_t at = (uint32_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 40);; at++) {
    lr_rule *rule = &lr_rules[at & mask];
    if (rule->kind == LR_UNKNOWN || rule->pc == pc) return rule;
  }
}

static void lr_remember(lr_rule *rule, uint64_t pc, lr_rule_kind kind) {
  rule->pc = pc;
  rule->kind = kind;
  lr_rule_count++;
}

/// Finds where a step from fresh registers has read a register's value. False if not at a place beside the frame
/// pointer.
static bool lr_saved_at(unw_cursor_t *cursor, unw_regnum_t number, uint64_t frame, int16_t *offset) {
  unw_save_loc_t place;
  if (unw_get_save_loc(cursor, number, &place) != 0) return false;
  *offset = LR_UNSAVED;
  if (place.type == UNW_SLT_REG) return place.u.regnum == number;
  if (place.type != UNW_SLT_MEMORY) return false;
  int64_t distance = (int64_t)(place.u.addr - frame);
  *offset = (int16_t)distance;
  return distance > INT16_MIN && distance <= INT16_MAX;
}

/// Reads the two words at the frame pointer: that of the caller, and the return address.
static bool lr_read_frame(const lr_unwind_job *job, uint64_t *outer, uint64_t *address) {
  uint64_t frame = job->registers[LR_FP], word;
  if (!lr_snapshot_read(job->snapshot, frame, outer) || !lr_snapshot_read(job->snapshot, frame + 8, &word)) return false;
  *address = lr_without_signature(word);
  return true;
}

/// Whether the frame pointer gives the same step as the tables.
static bool lr_learn(const lr_unwind_job *job, unw_cursor_t *cursor, const uint64_t *after, lr_rule *rule) {
  uint64_t frame = job->registers[LR_FP], outer, address;
  if (!lr_read_frame(job, &outer, &address)) return false;
  int64_t caller_stack = (int64_t)(after[LR_SP] - frame);
#if defined(__x86_64__)
  if (caller_stack != 16) return false;
#endif
  if (after[LR_FP] != outer || after[LR_PC] != address || caller_stack < 16 || caller_stack > INT16_MAX) return false;
  rule->caller_stack = (int16_t)caller_stack;
  for (size_t i = 0; i < LR_PRESERVED; i++)
    if (!lr_saved_at(cursor, lr_preserved[i], frame, &rule->saved[i])) return false;
  return true;
}

#if defined(__aarch64__)
/// Reads the link register, for which libunwind gives the program counter: after a signal, they differ. False if
/// libunwind has found no table that it understands. It then takes the function for one without a frame.
static bool lr_read_link(const lr_unwind_job *job, unw_cursor_t *cursor, uint64_t *after) {
  unw_save_loc_t place;
  if (unw_get_save_loc(cursor, LR_LINK, &place) != 0 || place.type == UNW_SLT_NONE) return false;
  if (place.type == UNW_SLT_MEMORY && lr_snapshot_read(job->snapshot, place.u.addr, &after[LR_LINK]))
    after[LR_LINK] = lr_without_signature(after[LR_LINK]);
  return true;
}

/// One step where libunwind refuses the tables: version 1.6 those of functions that sign their return address. Compilers
/// for arm64 give a frame pointer to each function that calls another. False at the outermost frame.
static bool lr_step_without_tables(lr_unwind_job *job) {
  uint64_t frame = job->registers[LR_FP], link = lr_without_signature(job->registers[LR_LINK]), outer, address;
  // The link register of a function that has made a call leads into itself. For a caller, it is where the call returns to.
  uint64_t start, end;
  bool has_called = link == job->registers[LR_PC] + 1 || (lr_job_function(job, &start, &end) && link >= start && link <= end);
  bool is_readable = frame >= job->registers[LR_SP] && lr_read_frame(job, &outer, &address);
  if (is_readable && (has_called || address == link)) {
    // The frame pointers of most functions are at their stack pointer; the others find all by the frame pointer.
    job->registers[LR_SP] = outer;
    job->registers[LR_FP] = outer;
    job->registers[LR_PC] = job->registers[LR_LINK] = address;
    job->is_stack_guessed = true;
    return address != 0 && outer > frame;
  }
  job->registers[LR_PC] = link;
  return link != 0 && !has_called;
}
#endif

/// One step by the unwind tables, after which the rule is known. False at the outermost frame.
static bool lr_step_by_tables(lr_unwind_job *job, lr_rule *rule) {
  unw_cursor_t cursor;
  uint64_t after[LR_REGISTERS], pc = job->registers[LR_PC];
  if (unw_init_remote(&cursor, job->space, job) != 0 || unw_step(&cursor) <= 0) return false;
  for (int i = 0; i < LR_REGISTERS; i++) {
    unw_word_t value = 0;
    // On arm64, libunwind keeps the program counter of a caller under another number than that of the first frame.
    if (unw_get_reg(&cursor, i == LR_PC ? UNW_REG_IP : i, &value) != 0) value = job->registers[i];
    after[i] = value;
  }
#if defined(__aarch64__)
  if (!lr_read_link(job, &cursor, after)) {
    if (rule->kind == LR_UNKNOWN) lr_remember(rule, pc, LR_WITHOUT_TABLES);
    return lr_step_without_tables(job);
  }
#endif
  if (after[LR_PC] == 0) return false;
  if (rule->kind == LR_UNKNOWN) {
    bool is_true = lr_learn(job, &cursor, after, rule);
    lr_remember(rule, pc, is_true ? LR_BY_FRAME_POINTER : LR_BY_TABLES);
  }
  memcpy(job->registers, after, sizeof after);
  return true;
}

static bool lr_step_by_frame_pointer(lr_unwind_job *job, const lr_rule *rule) {
  uint64_t frame = job->registers[LR_FP], outer, address, saved[LR_PRESERVED];
  if (!lr_read_frame(job, &outer, &address)) return false;
  for (size_t i = 0; i < LR_PRESERVED; i++) {
    saved[i] = job->registers[lr_preserved[i]];
    if (rule->saved[i] != LR_UNSAVED &&
        !lr_snapshot_read(job->snapshot, frame + (uint64_t)(int64_t)rule->saved[i], &saved[i]))
      return false;
  }
  if (address == 0) return false;
  for (size_t i = 0; i < LR_PRESERVED; i++) job->registers[lr_preserved[i]] = saved[i];
  job->registers[LR_SP] = frame + (uint64_t)rule->caller_stack;
  job->registers[LR_FP] = outer;
  job->registers[LR_PC] = address;
#if defined(__aarch64__)
  job->registers[LR_LINK] = address;
#endif
  return true;
}

static bool lr_step(lr_unwind_job *job, lr_rule *rule) {
  switch ((lr_rule_kind)rule->kind) {
  case LR_BY_FRAME_POINTER: return lr_step_by_frame_pointer(job, rule);
#if defined(__aarch64__)
  case LR_WITHOUT_TABLES: return lr_step_without_tables(job);
#endif
  default: return lr_step_by_tables(job, rule);
  }
}

/// The address that a signal handler returns to (rt_sigreturn). The interrupted frame's address is exact, not one after
/// a call.
static bool lr_is_signal_return(uint64_t address) {
#if defined(__x86_64__)
  static const uint8_t code[9] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
#elif defined(__aarch64__)
  static const uint8_t code[8] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
#endif
  return lr_image_has(address, sizeof code) && memcmp((const void *)(uintptr_t)address, code, sizeof code) == 0;
}

void lr_follow_frames(lr_unwind_job *job) {
  bool is_exact = true;
  while (job->stack->count < LR_DEEPEST) {
    uint64_t address = job->registers[LR_PC];
    bool returns_from_signal = !is_exact && lr_is_signal_return(address);
    if (returns_from_signal && job->is_stack_guessed) return;
    // A caller's address lies after its call, which may be the last instruction of a function. On arm64, libunwind knows
    // the return from a signal by its instructions.
    if (!is_exact && !(LR_KNOWS_SIGNALS_BY_CODE && returns_from_signal)) job->registers[LR_PC] = address - 1;
    if (lr_rule_count * 4 >= 3u << LR_RULES_LOG2) lr_frames_forget();
    lr_rule *rule = lr_rule_at(job->registers[LR_PC]);
    if (!lr_step(job, rule)) return;
    job->stack->addresses[job->stack->count++] = job->registers[LR_PC];
    is_exact = returns_from_signal;
  }
}
#endif
