// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_unwind.h"

#include <string.h>

// libunwind's remote interface to a snapshot: the stack is the copy, code and tables are those of this process.

/// Exported but not declared by libunwind, for unwinders of other processes. perf uses it, too.
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
                                              unw_proc_info_t *info, int need_unwind_info, void *argument);

static unw_addr_space_t lr_space;
static uint64_t lr_space_version;

// MARK: What libunwind asks

static int lr_find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need_unwind_info,
                             void *argument) {
  const lr_image *image = lr_image_at(ip);
  const uint8_t *header = image ? (const uint8_t *)image->unwind_header : NULL;
  // The only form that linkers write: a version, pointers relative to here, a count of four bytes, a sorted table.
  static const uint8_t form[4] = {1, 0x1b, 0x03, 0x3b};
  if (header == NULL || !lr_image_has(image->unwind_header, 12) || memcmp(header, form, sizeof form) != 0) return -UNW_ENOINFO;
  uint32_t count;
  memcpy(&count, header + 8, sizeof count);
  unw_dyn_info_t table = {.start_ip = image->start, .end_ip = image->end, .format = UNW_INFO_FORMAT_REMOTE_TABLE};
  table.u.rti.segbase = image->unwind_header;
  table.u.rti.table_data = image->unwind_header + 12;
  table.u.rti.table_len = (unw_word_t)count * 8 / sizeof(unw_word_t);
  return UNW_OBJ(dwarf_search_unwind_table)(space, ip, &table, info, need_unwind_info, argument);
}

#if defined(__aarch64__)
bool lr_job_function(lr_unwind_job *job, uint64_t *start, uint64_t *end) {
  unw_proc_info_t info;
  memset(&info, 0, sizeof info);
  if (lr_find_proc_info(job->space, job->registers[UNW_AARCH64_PC], &info, 0, job) != 0) return false;
  *start = info.start_ip;
  *end = info.end_ip;
  return true;
}
#endif

static void lr_put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info, void *argument) {
  (void)space;
  (void)info;
  (void)argument;
}

static int lr_get_dyn_info_list(unw_addr_space_t space, unw_word_t *list, void *argument) {
  (void)space;
  (void)list;
  (void)argument;
  return -UNW_ENOINFO;
}

typedef struct __attribute__((packed)) lr_word {
  uint64_t value;
} lr_word;

/// Where libunwind has to guess, it may read a variable that the program writes meanwhile. That is harmless, so
/// sanitizers must not report it.
__attribute__((no_sanitize("address", "thread"))) static uint64_t lr_load(uint64_t address) {
  return ((const volatile lr_word *)(uintptr_t)address)->value;
}

static int lr_access_mem(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int is_write, void *argument) {
  (void)space;
  const lr_unwind_job *job = argument;
  uint64_t word;
  if (is_write) return -UNW_EINVAL;
  if (lr_snapshot_read(job->snapshot, address, &word)) {
    *value = lr_without_signature(word);
    return 0;
  }
  if (!lr_image_has(address, 8)) return -UNW_EINVAL;
  *value = lr_load(address);
  return 0;
}

static int lr_access_reg(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int is_write, void *argument) {
  (void)space;
  const lr_unwind_job *job = argument;
  if (is_write || number < 0 || number >= LR_REGISTERS) return -UNW_EINVAL;
  *value = lr_without_signature(job->registers[number]);
  return 0;
}

static int lr_access_fpreg(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int is_write, void *argument) {
  (void)space;
  (void)number;
  (void)value;
  (void)is_write;
  (void)argument;
  return -UNW_EINVAL;
}

static int lr_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *argument) {
  (void)space;
  (void)cursor;
  (void)argument;
  return -UNW_EINVAL;
}

static int lr_get_proc_name(unw_addr_space_t space, unw_word_t address, char *name, size_t size, unw_word_t *offset,
                            void *argument) {
  (void)space;
  (void)address;
  (void)name;
  (void)size;
  (void)offset;
  (void)argument;
  return -UNW_ENOINFO;
}

static unw_accessors_t lr_accessors = {
    .find_proc_info = lr_find_proc_info,
    .put_unwind_info = lr_put_unwind_info,
    .get_dyn_info_list_addr = lr_get_dyn_info_list,
    .access_mem = lr_access_mem,
    .access_reg = lr_access_reg,
    .access_fpreg = lr_access_fpreg,
    .resume = lr_resume,
    .get_proc_name = lr_get_proc_name,
};

// MARK: Unwinding

/// Unwinds by the tables alone.
static void lr_follow_tables(lr_unwind_job *job) {
  unw_cursor_t cursor;
  if (unw_init_remote(&cursor, job->space, job) != 0) return;
  while (job->stack->count < LR_DEEPEST && unw_step(&cursor) > 0) {
    unw_word_t ip = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || ip == 0) return;
    job->stack->addresses[job->stack->count++] = ip;
  }
}

static void lr_unwind_frame_pointers_first(void *job) { lr_follow_frames(job); }
static void lr_unwind_by_tables(void *job) { lr_follow_tables(job); }

void lr_unwind(const lr_snapshot *snapshot, lr_unwinding unwinding, lr_stack *stack) {
  stack->addresses[0] = snapshot->pc;
  stack->count = 1;
  // Images may change between the refresh and the unwinding: then try again with a new list.
  for (int attempt = 0; attempt < 4; attempt++) {
    uint64_t version = lr_images_refresh();
    if (lr_space == NULL) {
      lr_space = unw_create_addr_space(&lr_accessors, 0);
      if (lr_space) unw_set_caching_policy(lr_space, UNW_CACHE_GLOBAL);
    } else if (version != lr_space_version) {
      unw_flush_cache(lr_space, 0, 0);
      lr_frames_forget();
    }
    lr_space_version = version;
    if (lr_space == NULL) return;
    lr_unwind_job job = {.snapshot = snapshot, .stack = stack, .space = lr_space};
    memcpy(job.registers, snapshot->registers, sizeof job.registers);
    bool is_first = unwinding == LR_FRAME_POINTERS_FIRST;
    if (lr_images_hold(is_first ? lr_unwind_frame_pointers_first : lr_unwind_by_tables, &job)) return;
  }
}
#endif
