// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "perf.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  /// Opened after the probes: pipes, traces.
  MORE_DESCRIPTORS = 256,
};

#if defined(__x86_64__)
static const uint64_t ARGUMENTS = 1ull << PERF_REG_X86_DI | 1ull << PERF_REG_X86_SI | 1ull << PERF_REG_X86_DX;
#elif defined(__aarch64__)
static const uint64_t ARGUMENTS = 1ull << PERF_REG_ARM64_X0 | 1ull << PERF_REG_ARM64_X1 | 1ull << PERF_REG_ARM64_X2;
#endif

// The kernel gives numbers to types that are not its own when it starts. 0 for none.
static uint32_t probe_type(void) {
  FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
  unsigned type = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%u", &type) != 1) type = 0;
  fclose(file);
  return type;
}

// The launcher may run the same code itself, and its calls have no meaning here. In a container the kernel has another number for it.
static void leave_out_own_thread(int descriptor) {
  char filter[48];
  snprintf(filter, sizeof filter, "common_pid != %ld", (long)syscall(SYS_gettid));
  ioctl(descriptor, PERF_EVENT_IOC_SET_FILTER, filter);
}

// Not for one process: its threads cannot inherit such an event, and the kernel refuses to create them. So it is for all
// processes, on one CPU, with a filter. Readers keep only the records of their own launch.
static int open_probe(lo_perf_rings *rings, const lo_perf_ring *ring, uint32_t type, const lo_probe *probe) {
  struct perf_event_attr attr = lo_perf_attributes(type, probe->kind == LO_PERF_RETURN ? 1 : 0);
  attr.disabled = 1;
  attr.sample_period = 1;
  attr.uprobe_path = (uint64_t)(uintptr_t)probe->path;
  attr.probe_offset = probe->offset;
  if (probe->kind == LO_PERF_CALL) {
    attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER;
    attr.exclude_callchain_kernel = 1;
    attr.sample_regs_user = ARGUMENTS;
  }
  int error = lo_perf_open_into(&rings->probes, &attr, -1, ring, probe->kind, probe->place);
  if (error != 0) return error;
  int descriptor = rings->probes.members[rings->probes.count - 1].descriptor;
  lo_perf_filter_apply(&rings->filter, descriptor);
  if (!probe->is_of_launcher) leave_out_own_thread(descriptor);
  return 0;
}

int lo_perf_add_probe(lo_perf_rings *rings, const lo_probe *probe) {
  uint32_t type = probe_type();
  if (type == 0) return ENOSYS;
  lo_perf_filter_open(&rings->filter);
  int first = rings->probes.count;
  int error = 0;
  for (int i = 0; i < rings->count && error == 0; i++) error = open_probe(rings, &rings->rings[i], type, probe);
  if (error != 0) lo_perf_close_behind(&rings->probes, first);
  return error;
}

__attribute__((noinline)) void lo_probe_target(void) { __asm__ volatile("" ::: "memory"); }

uint64_t lo_probe_target_address(void) { return (uint64_t)(uintptr_t)&lo_probe_target; }

static void request(const lo_perf_rings *rings, unsigned long what) {
  for (int i = 0; i < rings->probes.count; i++) ioctl(rings->probes.members[i].descriptor, what, 0);
}

void lo_perf_watch_probes(lo_perf *session, pid_t process) {
  lo_perf_filter_want(&session->shared->filter, process);
  request(session->shared, PERF_EVENT_IOC_ENABLE);
}

void lo_perf_leave_probes(lo_perf *session) { request(session->shared, PERF_EVENT_IOC_DISABLE); }

// A process that reads the output of the launcher waits until every process has closed it.
static void close_others(const lo_perf_events *probes, int kept) {
  int end = kept;
  for (int i = 0; i < probes->count; i++)
    if (probes->members[i].descriptor > end) end = probes->members[i].descriptor;
  for (int descriptor = 0; descriptor <= end + MORE_DESCRIPTORS; descriptor++) {
    bool is_kept = descriptor == kept;
    for (int i = 0; i < probes->count && !is_kept; i++) is_kept = probes->members[i].descriptor == descriptor;
    if (!is_kept) close(descriptor);
  }
}

// The kernel takes some 90 ms to close each of them. It does so when the last process that has them ends. That process
// does nothing else, and no process waits for it.
void lo_perf_close_probes(lo_perf_rings *rings) {
  int gate[2] = {-1, -1};
  pid_t child = rings->probes.count > 0 && pipe(gate) == 0 ? fork() : -1;
  if (child == 0) {
    prctl(PR_SET_NAME, (unsigned long)"probes-closing", 0ul, 0ul, 0ul);
    close_others(&rings->probes, gate[0]);
    char nothing;
    while (read(gate[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }
  lo_perf_close_behind(&rings->probes, 0);
  for (int i = 0; i < 2; i++)
    if (gate[i] >= 0) close(gate[i]);
  free(rings->probes.members);
  rings->probes = (lo_perf_events){NULL, 0, 0};
}
