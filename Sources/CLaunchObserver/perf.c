// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  /// What every user may lock by default, a CPU (kernel.perf_event_mlock_kb = 516): 30 samples with 16 KiB of the stack.
  LEAST_RING_PAGES = 128,
  /// The launcher is woken when 15 such samples have come, and may come 40 ms later: it works through what it drained, and
  /// a busy machine runs it late.
  RING_PAGES = 256,
  /// Of all rings together, half of what a process may usually lock (RLIMIT_MEMLOCK).
  ALL_RING_PAGES = 1024,
  /// For probes, which can report 10,000 calls in 10 ms, if the user may lock as much.
  LARGE_RING_PAGES = 2048,
  ALL_LARGE_RING_PAGES = 16384,
  POINT_PAGES = 4,
  /// Kept of a launch: 16,000 samples of 4 KiB.
  STACK_ROOM = 64 << 20,
};

static const uint64_t FIELDS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

struct perf_event_attr lo_perf_attributes(uint32_t type, uint64_t config) {
  struct perf_event_attr attr = {.size = sizeof attr};
  attr.type = type;
  attr.config = config;
  attr.sample_type = FIELDS;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.watermark = 1;
  return attr;
}

struct perf_event_attr lo_perf_observing(uint32_t type, uint64_t config) {
  struct perf_event_attr attr = lo_perf_attributes(type, config);
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  return attr;
}

int lo_perf_open_event(struct perf_event_attr *attr, pid_t pid, int cpu) {
  return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int make_room(lo_perf_events *events) {
  if (events->count < events->room) return 0;
  int room = events->room * 2 + 16;
  lo_perf_member *members = realloc(events->members, (size_t)room * sizeof *members);
  if (members == NULL) return ENOMEM;
  events->members = members;
  events->room = room;
  return 0;
}

// A power of two.
static size_t ring_pages(bool is_large, long cpus) {
  return is_large ? lo_perf_ring_pages(LARGE_RING_PAGES, LEAST_RING_PAGES, ALL_LARGE_RING_PAGES, (size_t)cpus)
                  : lo_perf_ring_pages(RING_PAGES, LEAST_RING_PAGES, ALL_RING_PAGES, (size_t)cpus);
}

int lo_perf_rings_open(lo_perf_rings **opened, bool is_large) {
  lo_perf_rings *rings = calloc(1, sizeof *rings);
  *opened = NULL;
  if (rings == NULL) return ENOMEM;
  rings->held[0] = rings->held[1] = -1;
  rings->filter.program = -1;
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  rings->rings = calloc((size_t)cpus, sizeof *rings->rings);
  uint32_t watermark = LEAST_RING_PAGES / 2 * (uint32_t)sysconf(_SC_PAGESIZE);
  size_t pages = ring_pages(is_large, cpus);
  int error = ENOMEM;
  if (rings->rings != NULL) error = lo_perf_rings_open_all(rings->rings, &rings->count, cpus, pages, watermark);
  if (error != 0) lo_perf_rings_close(rings);
  else *opened = rings;
  return error;
}

void lo_perf_rings_close(lo_perf_rings *rings) {
  if (rings == NULL) return;
  lo_perf_close_probes(rings);
  lo_perf_close_waits(rings);
  lo_perf_filter_close(&rings->filter);
  for (int i = 0; i < rings->count; i++) lo_perf_ring_close(&rings->rings[i]);
  for (int i = 0; i < 2; i++)
    if (rings->held[i] >= 0) close(rings->held[i]);
  free(rings->rings);
  free(rings);
}

int lo_perf_open_into(
  lo_perf_events *events, struct perf_event_attr *attr, pid_t pid, const lo_perf_ring *ring, lo_perf_kind kind,
  uint64_t address) {
  // Linux before 6.0 does not count lost records by event. It is asked once: there are hundreds of events.
  static atomic_bool is_uncounted;
  attr->read_format = is_uncounted ? 0 : PERF_FORMAT_LOST;
  int descriptor = lo_perf_open_event(attr, pid, ring->cpu);
  if (descriptor < 0 && errno == EINVAL && attr->read_format != 0) {
    attr->read_format = 0;
    descriptor = lo_perf_open_event(attr, pid, ring->cpu);
    if (descriptor >= 0) is_uncounted = true;
  }
  if (descriptor < 0) return errno;
  uint64_t id = 0;
  bool is_set = ioctl(descriptor, PERF_EVENT_IOC_SET_OUTPUT, ring->descriptor) == 0 &&
                ioctl(descriptor, PERF_EVENT_IOC_ID, &id) == 0;
  int error = is_set ? make_room(events) : errno;
  if (error == 0) events->members[events->count++] = (lo_perf_member){descriptor, {id, kind, address}};
  else close(descriptor);
  return error;
}

void lo_perf_close_behind(lo_perf_events *events, int first) {
  while (events->count > first) {
    int descriptor = events->members[--events->count].descriptor;
    if (descriptor >= 0) close(descriptor);
  }
}

// One event reports everything that happens on one CPU, because each event makes every switch, exec and exit slower.
static int open_cpu(lo_perf *session, const lo_perf_ring *ring, uint64_t sample_ns) {
  struct perf_event_attr attr = lo_perf_observing(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
  attr.sample_period = 1;
  attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
  attr.comm = attr.comm_exec = attr.task = attr.context_switch = 1;
  // Also mappings that are not code: the loader makes memory read-only when it has relocated it. Build ids are read from the
  // files afterwards: the kernel would do it while the program waits for its mapping.
  attr.mmap = attr.mmap2 = attr.mmap_data = 1;
  int error = lo_perf_open_into(&session->events, &attr, session->pid, ring, LO_PERF_FAULTS, 0);
  if (error != 0 || sample_ns == 0) return error;
  struct perf_event_attr samples = lo_perf_sampling(PERF_COUNT_SW_CPU_CLOCK, sample_ns, session->stack_bytes);
  return lo_perf_open_into(&session->events, &samples, session->pid, ring, LO_PERF_SAMPLES, 0);
}

int lo_perf_open_ring(lo_perf *session, lo_perf_ring *ring, struct perf_event_attr *attr, size_t pages) {
  int descriptor = lo_perf_open_event(attr, session->pid, -1);
  if (descriptor < 0) return errno;
  int error = lo_perf_ring_map(ring, descriptor, -1, pages);
  if (error != 0) close(descriptor);
  return error;
}

int lo_perf_open(lo_perf_rings *rings, pid_t pid, uint64_t sample_ns, uint32_t stack_bytes, lo_perf **opened) {
  lo_perf *session = calloc(1, sizeof *session);
  *opened = NULL;
  if (session == NULL) return ENOMEM;
  session->pid = pid;
  session->shared = rings;
  session->stack_bytes = sample_ns > 0 ? stack_bytes & ~7u : 0;
  session->stack_room = STACK_ROOM;
  session->exec.descriptor = session->points.descriptor = -1;
  // Records of an earlier launch, whose descendants may still run.
  for (int i = 0; i < rings->count; i++) lo_perf_ring_clear(&rings->rings[i]);
  for (int i = 0; i < rings->wait_count; i++) lo_perf_ring_clear(&rings->waits[i]);
  rings->lost_before = lo_perf_lost_of_probes(rings);
  for (int i = 0; i < rings->count; i++) {
    int error = open_cpu(session, &rings->rings[i], sample_ns);
    if (error != 0) {
      lo_perf_close(session);
      return error;
    }
  }
  if (session->stack_bytes > 0) lo_perf_watch_waits(session);
  *opened = session;
  return 0;
}

// Also for every thread that starts from now on: an event and a place in the hardware on each CPU.
static int add_inherited(lo_perf *session, struct perf_event_attr attr, uint64_t address) {
  attr.inherit = attr.inherit_thread = 1;
  int first = session->events.count;
  int error = 0;
  for (int i = 0; i < session->shared->count && error == 0; i++) {
    const lo_perf_ring *ring = &session->shared->rings[i];
    error = lo_perf_open_into(&session->events, &attr, session->pid, ring, LO_PERF_BREAKPOINT, address);
  }
  if (error != 0) lo_perf_close_behind(&session->events, first);
  return error;
}

int lo_perf_add_breakpoint(lo_perf *session, uint64_t address, bool is_inherited) {
  struct perf_event_attr attr = lo_perf_attributes(PERF_TYPE_BREAKPOINT, 0);
  attr.sample_period = 1;
  attr.sample_type |= PERF_SAMPLE_IP;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = address;
  // perf_event_open(2): of an execution breakpoint always this.
  attr.bp_len = sizeof(long);
  // Linux before 5.13 cannot leave out child processes, in which something else may lie there.
  if (is_inherited && add_inherited(session, attr, address) == 0) return 0;
  struct perf_event_attr nothing = lo_perf_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
  nothing.disabled = 1;
  nothing.wakeup_watermark = UINT32_MAX;
  bool has_ring = session->points.descriptor >= 0;
  int error = has_ring ? 0 : lo_perf_open_ring(session, &session->points, &nothing, POINT_PAGES);
  if (error != 0) return error;
  attr.disabled = !is_inherited;
  error = lo_perf_open_into(&session->events, &attr, session->pid, &session->points, LO_PERF_BREAKPOINT, address);
  if (error != 0 || is_inherited) return error;
  // perf_event_open(2): enables the event for one report. A breakpoint that stays makes a loop in the same cache line up
  // to eleven times slower on some virtual machines.
  int descriptor = session->events.members[session->events.count - 1].descriptor;
  return ioctl(descriptor, PERF_EVENT_IOC_REFRESH, 1) == 0 ? 0 : errno;
}

void lo_perf_remove_breakpoints(lo_perf *session) {
  for (int i = 0; i < session->events.count; i++) {
    lo_perf_member *member = &session->events.members[i];
    if (member->event.kind != LO_PERF_BREAKPOINT || member->descriptor < 0) continue;
    close(member->descriptor);
    member->descriptor = -1;
  }
  // The ring belongs to a thread. After another one has executed a program, that thread is the first.
  lo_perf_ring_close(&session->points);
}

void lo_perf_stop(lo_perf *session) {
  lo_perf_leave_probes(session);
  for (int i = 0; i < session->events.count; i++) {
    int descriptor = session->events.members[i].descriptor;
    if (descriptor >= 0) ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0);
  }
}

void lo_perf_close(lo_perf *session) {
  if (session == NULL) return;
  lo_perf_leave_probes(session);
  lo_perf_close_behind(&session->events, 0);
  lo_perf_ring_close(&session->exec);
  lo_perf_ring_close(&session->points);
  free(session->events.members);
  free(session);
}

int lo_perf_event_count(const lo_perf *session) { return session->events.count + session->shared->probes.count; }

lo_perf_event lo_perf_event_at(const lo_perf *session, int index) {
  const lo_perf_events *own = &session->events, *probes = &session->shared->probes;
  return index < own->count ? own->members[index].event : probes->members[index - own->count].event;
}

// 0 where the kernel does not count.
static uint64_t lost(const lo_perf_member *member) {
  // {value, lost}
  uint64_t values[2] = {0, 0};
  bool is_told = member->descriptor >= 0 && read(member->descriptor, values, sizeof values) == sizeof values;
  return is_told ? values[1] : 0;
}

uint64_t lo_perf_lost_of_probes(const lo_perf_rings *rings) {
  uint64_t sum = 0;
  for (int i = 0; i < rings->probes.count; i++) sum += lost(&rings->probes.members[i]);
  return sum;
}

void lo_perf_lost(const lo_perf *session, uint64_t *all, uint64_t *samples) {
  *all = lo_perf_lost_of_probes(session->shared) - session->shared->lost_before;
  *samples = 0;
  for (int i = 0; i < session->events.count; i++) {
    const lo_perf_member *member = &session->events.members[i];
    if (member->event.kind == LO_PERF_WAIT) continue;
    uint64_t count = lost(member);
    *all += count;
    if (member->event.kind == LO_PERF_SAMPLES) *samples += count;
  }
}
