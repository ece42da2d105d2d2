// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "order.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__x86_64__)

enum { PAGE = 4096, TRAP = 0xcc };

/// Opens a file of a process in /proc. Returns a descriptor, or -1 with errno.
static int open_file(pid_t pid, const char *name, int flags) {
  char path[32];
  // Otherwise the traps would get into another process.
  if (!lo_sees_processes()) {
    errno = ENOENT;
    return -1;
  }
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
  return open(path, flags | O_CLOEXEC);
}

static int memory(pid_t pid) { return open_file(pid, "mem", O_RDWR); }

/// Where the program's first instruction came to lie.
static int find_entry(pid_t pid, uint64_t *entry) {
  int file = open_file(pid, "auxv", O_RDONLY);
  if (file < 0) return errno;
  Elf64_auxv_t pair;
  int error = ENOEXEC;
  while (error != 0 && read(file, &pair, sizeof pair) == sizeof pair) {
    if (pair.a_type != AT_ENTRY) continue;
    *entry = pair.a_un.a_val;
    error = 0;
  }
  close(file);
  return error;
}

/// Puts a trap on every function: a page at a time.
static int put_traps(lo_order_state *state) {
  const lo_order_launch *launch = state->launch;
  int file = memory(state->pid);
  if (file < 0) return errno;
  uint8_t page[PAGE];
  int error = 0;
  for (size_t place = 0; place < launch->count && error == 0;) {
    uint64_t start = (launch->addresses[place] + state->bias) & ~(uint64_t)(PAGE - 1);
    bool is_there = pread(file, page, PAGE, (off_t)start) == PAGE;
    for (; place < launch->count && launch->addresses[place] + state->bias - start < PAGE; place++) {
      uint64_t inside = launch->addresses[place] + state->bias - start;
      state->original[place] = is_there ? page[inside] : TRAP;
      if (is_there) page[inside] = TRAP;
    }
    if (is_there && pwrite(file, page, PAGE, (off_t)start) != PAGE) error = errno;
  }
  close(file);
  return error;
}

int lo_order_arm(lo_order_state *state) {
  uint64_t entry = 0;
  int error = find_entry(state->pid, &entry);
  if (error != 0) return error;
  state->bias = entry - state->launch->entry;
  return put_traps(state);
}

/// The index of the function at an address in memory; −1 for none.
static long place_of(const lo_order_state *state, uint64_t address) {
  const uint64_t *addresses = state->launch->addresses;
  size_t low = 0, high = state->launch->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (addresses[middle] + state->bias < address) low = middle + 1; else high = middle;
  }
  return low < state->launch->count && addresses[low] + state->bias == address ? (long)low : -1;
}

bool lo_order_pass(lo_order_state *state, pid_t thread) {
  uint64_t address = lo_trace_breakpoint_address(thread);
  long place = place_of(state, address);
  if (place < 0 || state->original[place] == TRAP) return false;
  int file = memory(thread);
  if (file < 0) return false;
  // Another thread may have removed it meanwhile.
  uint8_t byte = 0;
  bool is_ours = pread(file, &byte, 1, (off_t)address) == 1;
  if (is_ours && byte == TRAP) is_ours = pwrite(file, &state->original[place], 1, (off_t)address) == 1;
  close(file);
  if (!is_ours || lo_trace_resume_at(thread, address) != 0) return false;
  if (!state->is_known[place]) {
    state->is_known[place] = true;
    state->launch->order[state->launch->touched++] = (uint32_t)place;
  }
  return true;
}

#endif
