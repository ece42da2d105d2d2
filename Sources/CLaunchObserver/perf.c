#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

enum {
  /// What every user may lock by default, a CPU (kernel.perf_event_mlock_kb = 516): half a second of samples at 1 kHz
  /// with the deepest stacks, before the launcher is woken at the half.
  RING_PAGES = 128,
  BREAKPOINT_PAGES = 8,
  EXEC_PAGES = 1,
};

static const uint64_t FIELDS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

// What all events of a session have in common.
static struct perf_event_attr attributes(uint32_t type, uint64_t config) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
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

static struct perf_event_attr observing(uint32_t type, uint64_t config) {
  struct perf_event_attr attr = attributes(type, config);
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  return attr;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu) {
  return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int lo_perf_add(lo_perf *session, int descriptor, lo_perf_kind kind, uint64_t address) {
  uint64_t id = 0;
  int error = ioctl(descriptor, PERF_EVENT_IOC_ID, &id) == 0 ? 0 : errno;
  if (error == 0 && session->member_count == session->member_room) {
    int room = session->member_room * 2 + 16;
    lo_perf_member *members = realloc(session->members, (size_t)room * sizeof *members);
    if (members == NULL) {
      error = ENOMEM;
    } else {
      session->members = members;
      session->member_room = room;
    }
  }
  if (error != 0) {
    close(descriptor);
    return error;
  }
  session->members[session->member_count++] = (lo_perf_member){descriptor, {id, kind, address}};
  return 0;
}

// Side-band records of one CPU, with the ring for all that happens there.
static int open_side_band(lo_perf *session, int cpu) {
  struct perf_event_attr attr = observing(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
  attr.comm = attr.comm_exec = attr.task = attr.context_switch = 1;
  attr.mmap = attr.mmap2 = 1;
  attr.wakeup_watermark = RING_PAGES / 2 * (uint32_t)sysconf(_SC_PAGESIZE);
  if (session->says_lost) {
    attr.build_id = 1;
    attr.read_format = PERF_FORMAT_LOST;
  }
  int descriptor = open_event(&attr, session->pid, cpu);
  if (descriptor < 0 && errno == EINVAL && session->says_lost && session->member_count == 0) {
    // Linux before 6.0 knows neither, or not both.
    session->says_lost = false;
    return open_side_band(session, cpu);
  }
  if (descriptor < 0) return errno;
  int error = lo_perf_add(session, descriptor, LO_PERF_SIDE_BAND, 0);
  return error != 0 ? error : lo_perf_add_ring(session, descriptor, RING_PAGES);
}

static int open_into(lo_perf *session, struct perf_event_attr *attr, int cpu, int ring, lo_perf_kind kind) {
  if (session->says_lost) attr->read_format = PERF_FORMAT_LOST;
  int descriptor = open_event(attr, session->pid, cpu);
  if (descriptor < 0) return errno;
  if (ioctl(descriptor, PERF_EVENT_IOC_SET_OUTPUT, ring) != 0) {
    int error = errno;
    close(descriptor);
    return error;
  }
  return lo_perf_add(session, descriptor, kind, 0);
}

static int open_cpu(lo_perf *session, int cpu, uint64_t sample_ns) {
  int error = open_side_band(session, cpu);
  if (error != 0) return error;
  int ring = session->rings[session->ring_count - 1].descriptor;
  struct perf_event_attr faults = observing(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
  faults.sample_period = 1;
  faults.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
  error = open_into(session, &faults, cpu, ring, LO_PERF_FAULTS);
  if (error != 0 || sample_ns == 0) return error;
  struct perf_event_attr samples = observing(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
  samples.sample_period = sample_ns;
  samples.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
  samples.exclude_callchain_kernel = 1;
  return open_into(session, &samples, cpu, ring, LO_PERF_SAMPLES);
}

// What happens to the first thread alone: a ring for breakpoints (those of one thread cannot write into a CPU's), and
// one that wakes us when it executes a program. Without the latter, later images of the process go without
// breakpoints, and nothing else is lost.
static int open_first_thread(lo_perf *session) {
  struct perf_event_attr attr = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
  attr.wakeup_watermark = BREAKPOINT_PAGES / 2 * (uint32_t)sysconf(_SC_PAGESIZE);
  int descriptor = open_event(&attr, session->pid, -1);
  if (descriptor < 0) return errno;
  int error = lo_perf_add(session, descriptor, LO_PERF_SIDE_BAND, 0);
  if (error == 0) error = lo_perf_add_ring(session, descriptor, BREAKPOINT_PAGES);
  if (error != 0) return error;
  session->breakpoint_ring = descriptor;
  attr.disabled = attr.enable_on_exec = 1;
  attr.comm = attr.comm_exec = 1;
  attr.wakeup_watermark = 1;
  descriptor = open_event(&attr, session->pid, -1);
  if (descriptor >= 0 && lo_perf_ring_map(&session->exec, descriptor, EXEC_PAGES) != 0) close(descriptor);
  return 0;
}

int lo_perf_open(pid_t pid, uint64_t sample_ns, lo_perf **opened) {
  lo_perf *session = calloc(1, sizeof *session);
  *opened = NULL;
  if (session == NULL) return ENOMEM;
  session->pid = pid;
  session->says_lost = true;
  session->exec.descriptor = -1;
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < cpus; cpu++) {
    int error = open_cpu(session, cpu, sample_ns);
    // ENODEV: that CPU is switched off.
    if (error == ENODEV) continue;
    if (error != 0) {
      lo_perf_close(session);
      return error;
    }
  }
  int error = open_first_thread(session);
  if (error != 0) {
    lo_perf_close(session);
    return error;
  }
  *opened = session;
  return 0;
}

int lo_perf_add_breakpoint(lo_perf *session, uint64_t address) {
  struct perf_event_attr attr = attributes(PERF_TYPE_BREAKPOINT, 0);
  attr.sample_period = 1;
  attr.sample_type |= PERF_SAMPLE_IP;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = address;
  // perf_event_open(2): of an execution breakpoint always this.
  attr.bp_len = sizeof(long);
  if (session->says_lost) attr.read_format = PERF_FORMAT_LOST;
  int descriptor = open_event(&attr, session->pid, -1);
  if (descriptor < 0) return errno;
  if (ioctl(descriptor, PERF_EVENT_IOC_SET_OUTPUT, session->breakpoint_ring) != 0) {
    int error = errno;
    close(descriptor);
    return error;
  }
  return lo_perf_add(session, descriptor, LO_PERF_BREAKPOINT, address);
}

void lo_perf_remove_breakpoints(lo_perf *session, uint64_t address) {
  for (int i = 0; i < session->member_count; i++) {
    lo_perf_member *member = &session->members[i];
    if (member->event.kind != LO_PERF_BREAKPOINT || member->descriptor < 0) continue;
    if (address != 0 && member->event.address != address) continue;
    close(member->descriptor);
    member->descriptor = -1;
  }
}

void lo_perf_stop(lo_perf *session) {
  for (int i = 0; i < session->member_count; i++)
    if (session->members[i].descriptor >= 0) ioctl(session->members[i].descriptor, PERF_EVENT_IOC_DISABLE, 0);
  if (session->exec.descriptor >= 0) ioctl(session->exec.descriptor, PERF_EVENT_IOC_DISABLE, 0);
}

void lo_perf_close(lo_perf *session) {
  if (session == NULL) return;
  for (int i = 0; i < session->ring_count; i++) lo_perf_ring_unmap(&session->rings[i]);
  for (int i = 0; i < session->member_count; i++)
    if (session->members[i].descriptor >= 0) close(session->members[i].descriptor);
  lo_perf_ring_unmap(&session->exec);
  if (session->exec.descriptor >= 0) close(session->exec.descriptor);
  free(session->rings);
  free(session->members);
  free(session);
}

int lo_perf_event_count(const lo_perf *session) { return session->member_count; }

lo_perf_event lo_perf_event_at(const lo_perf *session, int index) { return session->members[index].event; }

void lo_perf_lost(const lo_perf *session, uint64_t *all, uint64_t *samples) {
  *all = *samples = 0;
  if (!session->says_lost) return;
  for (int i = 0; i < session->member_count; i++) {
    // {value, lost}
    uint64_t values[2] = {0, 0};
    int descriptor = session->members[i].descriptor;
    if (descriptor < 0 || read(descriptor, values, sizeof values) != sizeof values) continue;
    *all += values[1];
    if (session->members[i].event.kind == LO_PERF_SAMPLES) *samples += values[1];
  }
}
