// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CObserverParts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CPUS = 256, PAGE = 4096, RING_PAGES = 128 };

// All that functions save, as the observer asks for them (Sources/CLaunchObserver/perf_stack.c).
#if defined(__x86_64__)
static const uint64_t REGISTERS = 0xff01ff;
#elif defined(__aarch64__)
static const uint64_t REGISTERS = 0x1ffffffffull;
#endif

static struct ring {
  int cpu, descriptor;
  struct perf_event_mmap_page *page;
} rings[MOST_CPUS];
static int ring_count;

// What one launch has open.
static int open_events[4 * MOST_CPUS + 2], event_count;

static struct perf_event_attr attributes(uint32_t type, uint64_t config) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  attr.sample_id_all = attr.use_clockid = attr.watermark = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.exclude_kernel = attr.exclude_hv = 1;
  attr.wakeup_watermark = RING_PAGES / 2 * PAGE;
  return attr;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu) {
  return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int add(int descriptor) {
  if (descriptor < 0) return errno;
  open_events[event_count++] = descriptor;
  return 0;
}

int cop_open(void) {
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < cpus && ring_count < MOST_CPUS; cpu++) {
    struct perf_event_attr attr = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.disabled = 1;
    int descriptor = open_event(&attr, 0, cpu);
    if (descriptor < 0 && errno == ENODEV) continue;
    if (descriptor < 0) return errno;
    void *page = mmap(NULL, (RING_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) return errno;
    rings[ring_count++] = (struct ring){cpu, descriptor, page};
  }
  return 0;
}

static int add_to_ring(const struct ring *ring, struct perf_event_attr *attr, pid_t pid) {
  int error = add(open_event(attr, pid, ring->cpu));
  if (error != 0) return error;
  return ioctl(open_events[event_count - 1], PERF_EVENT_IOC_SET_OUTPUT, ring->descriptor) == 0 ? 0 : errno;
}

// As the observer has them: one event a CPU carries all records, another one samples.
static int watch(pid_t pid, cop_part parts) {
  bool has_faults = parts >= COP_RECORDS;
  int error = 0;
  for (int i = 0; i < ring_count && error == 0; i++) {
    struct perf_event_attr attr =
        attributes(PERF_TYPE_SOFTWARE, has_faults ? PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_DUMMY);
    attr.disabled = attr.enable_on_exec = attr.inherit = 1;
    attr.mmap = attr.mmap2 = parts >= COP_CODE;
    attr.mmap_data = parts >= COP_MAPPINGS;
    attr.comm = attr.comm_exec = attr.task = attr.context_switch = has_faults;
    attr.sample_period = 1;
    if (has_faults) attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
    error = add_to_ring(&rings[i], &attr, pid);
    if (error != 0 || parts < COP_SAMPLES) continue;
    struct perf_event_attr samples = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    samples.disabled = samples.enable_on_exec = samples.inherit = 1;
    samples.sample_period = 1000000;
    samples.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
    samples.exclude_callchain_kernel = 1;
    error = add_to_ring(&rings[i], &samples, pid);
    if (error != 0 || parts < COP_WAITS) continue;
    struct perf_event_attr waits = samples;
    waits.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
    waits.sample_period = waits.sample_max_stack = 1;
    waits.exclude_kernel = 0;
    waits.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    waits.sample_regs_user = REGISTERS;
    waits.sample_stack_user = 4096;
    error = add_to_ring(&rings[i], &waits, pid);
  }
  return error;
}

static int watch_exec(pid_t pid, int *descriptor, void **ring) {
  struct perf_event_attr attr = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
  attr.disabled = attr.enable_on_exec = 1;
  attr.sample_period = 25000;
  attr.watermark = 0;
  attr.wakeup_events = 1;
  int error = add(open_event(&attr, pid, -1));
  if (error != 0) return error;
  *descriptor = open_events[event_count - 1];
  *ring = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
  return *ring == MAP_FAILED ? errno : 0;
}

static int break_in(pid_t pid) {
  struct perf_event_attr attr = attributes(PERF_TYPE_BREAKPOINT, 0);
  attr.sample_period = 1;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = PAGE;
  attr.bp_len = sizeof(long);
  return add(open_event(&attr, pid, -1));
}

// The child shares our memory until execve, as that of `launchprof record` does; it waits until it is watched.
typedef struct {
  const char *path;
  char *const *arguments;
  atomic_bool is_watched;
  uint64_t cpu_ns;
} child_state;

static int child_main(void *argument) {
  child_state *state = argument;
  struct timespec moment = {0, 20000}, now = {0, 0};
  while (!atomic_load(&state->is_watched)) nanosleep(&moment, NULL);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 1);
  dup2(nothing, 2);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  state->cpu_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  execv(state->path, state->arguments);
  _exit(127);
}

// The last descriptor is that of `watch_exec`, and hangs up before the process has ended.
static void wait_for_end(int process, int exec_watch) {
  struct pollfd polled[2] = {{process, POLLIN, 0}, {exec_watch, POLLIN, 0}};
  while (polled[0].revents == 0) {
    poll(polled, 2, -1);
    if (polled[1].revents != 0) polled[1].fd = -1;
  }
}

int cop_launch(const char *path, char *const arguments[], cop_part parts, uint64_t *cpu_ns) {
  static char stack[64 * 1024] __attribute__((aligned(16)));
  child_state state = {.path = path, .arguments = arguments};
  int process = -1, status = 0, exec_watch = -1, error = 0;
  void *exec_ring = MAP_FAILED;
  pid_t pid = clone(child_main, stack + sizeof stack, CLONE_VM | CLONE_PIDFD | SIGCHLD, &state, &process);
  if (pid < 0) return errno;
  event_count = 0;
  if (parts >= COP_EVENTS) error = watch(pid, parts);
  if (error == 0 && parts >= COP_STOP && ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACEEXEC) != 0) error = errno;
  atomic_store(&state.is_watched, true);
  if (error == 0 && parts >= COP_STOP) {
    if (waitpid(pid, &status, 0) != pid || status >> 8 != (SIGTRAP | PTRACE_EVENT_EXEC << 8)) error = EINVAL;
    if (error == 0 && parts >= COP_WORD) error = watch_exec(pid, &exec_watch, &exec_ring);
    if (error == 0 && parts >= COP_BREAKPOINT) error = break_in(pid);
    ptrace(PTRACE_DETACH, pid, 0, 0);
  }
  wait_for_end(process, exec_watch);
  struct rusage usage = {0};
  wait4(pid, &status, 0, &usage);
  *cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
            (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u - state.cpu_ns;
  for (int i = 0; i < ring_count; i++) rings[i].page->data_tail = rings[i].page->data_head;
  for (int i = 0; i < event_count; i++) close(open_events[i]);
  if (exec_ring != MAP_FAILED) munmap(exec_ring, 2 * PAGE);
  close(process);
  return error != 0 ? error : status != 0 ? EINVAL : 0;
}
