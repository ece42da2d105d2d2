// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_PERF_H
#define LAUNCHPROF_PERF_H

#include "CLaunchObserver.h"

#include <linux/perf_event.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

/// One ring that the kernel writes and we read.
typedef struct {
  int descriptor;
  /// The CPU whose records it holds; -1 for a ring of the first thread only.
  int cpu;
  struct perf_event_mmap_page *page;
  /// Bytes of data, a power of two; the header's page comes on top.
  size_t size;
  /// The place up to which `lo_perf_has_waited` has read.
  uint64_t looked;
} lo_perf_ring;

typedef struct {
  int descriptor;
  lo_perf_event event;
} lo_perf_member;

typedef struct {
  lo_perf_member *members;
  int count, room;
} lo_perf_events;

/// Keeps the calls of other processes out of the rings: a program that the kernel runs for each call (BPF, Linux 5.7).
typedef struct {
  /// -1 if the kernel refuses it.
  int program;
  /// The process whose calls pass, 0 for all; NULL without a program. The program reads it there.
  uint32_t *wanted;
} lo_perf_filter;

struct lo_perf_rings {
  lo_perf_ring *rings;
  int count;
  /// One a CPU for stacks of waits, so that these take no room from other records.
  lo_perf_ring *waits;
  int wait_count;
  /// Descriptors of tracepoints; -1 for none.
  int held[2];
  /// One a CPU for each probe.
  lo_perf_events probes;
  lo_perf_filter filter;
  /// Records of probes that had found no room when the session began.
  uint64_t lost_before;
};

struct lo_perf {
  pid_t pid;
  /// Bytes of the stack that each sample copies; 0 for none.
  uint32_t stack_bytes;
  /// So many bytes of stacks are still handed on, of samples and of waits.
  size_t stack_room, wait_room;
  /// When stacks of waits were last drained, CLOCK_MONOTONIC ns.
  uint64_t waits_drained;
  lo_perf_events events;
  /// One a CPU.
  lo_perf_rings *shared;
  /// For the first thread alone. When it executes a program, this event wakes the thread that polls. Its records have no meaning.
  lo_perf_ring exec;
  /// Breakpoints of the first thread alone. They wake no thread, because the program would pay for it.
  lo_perf_ring points;
};

/// Maps a ring of `pages` pages, a power of two. Returns 0 or errno: EAGAIN if the user may not lock as much memory.
int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, int cpu, size_t pages);
/// Opens and maps a ring for each CPU that is switched on. All have the same size: `pages` pages, or half of it as often as
/// needed until the user may lock them all, and a small ring besides. Each wakes who polls it when it holds `watermark` bytes, or
/// at the latest when it is half full; UINT32_MAX: never. Returns 0 or errno.
int lo_perf_rings_open_all(lo_perf_ring *rings, int *count, long cpus, size_t pages, uint32_t watermark);
/// `most` pages, or so many fewer that all rings together have at most `all`, but not fewer than `least`.
size_t lo_perf_ring_pages(size_t most, size_t least, size_t all, size_t rings);
/// Unmaps it and closes its descriptor.
void lo_perf_ring_close(lo_perf_ring *ring);
/// Discards its records.
void lo_perf_ring_clear(lo_perf_ring *ring);

/// An event of the process's software that takes a stack each `period`. It copies the registers and this many bytes of the
/// stack; with 0, neither.
struct perf_event_attr lo_perf_sampling(uint64_t config, uint64_t period, uint32_t stack_bytes);
/// The place of the copied stack's size in a record, and how many bytes of the copy to keep; 0 if the record has no copy.
size_t lo_perf_stack_place(lo_perf *session, const lo_perf_ring *ring, uint64_t at, size_t *kept);

/// Copies the stack of each thread that leaves its CPU, where the kernel permits it: it does not let every user know when its
/// own code runs. Call it when all other events are open.
void lo_perf_watch_waits(lo_perf *session);
/// Whether enough time has passed since stacks of waits were drained; begins the next period if so.
bool lo_perf_waits_are_due(lo_perf *session);
void lo_perf_close_waits(lo_perf_rings *rings);

/// Loads the BPF program, unless it is loaded already.
void lo_perf_filter_open(lo_perf_filter *filter);
void lo_perf_filter_close(lo_perf_filter *filter);
/// Attaches the filter to a probe's event. Without a program, the event reports the calls of all processes.
void lo_perf_filter_apply(const lo_perf_filter *filter, int descriptor);
/// From now on, the calls of this process pass, or of all for 0.
void lo_perf_filter_want(const lo_perf_filter *filter, pid_t process);

/// Records of all probes that have found no room, as far as the kernel counts them.
uint64_t lo_perf_lost_of_probes(const lo_perf_rings *rings);
/// Closes the probes, behind our back.
void lo_perf_close_probes(lo_perf_rings *rings);

/// What all events of a session have in common.
struct perf_event_attr lo_perf_attributes(uint32_t type, uint64_t config);
/// Those of an event that begins with execve and goes over to all threads and children.
struct perf_event_attr lo_perf_observing(uint32_t type, uint64_t config);
/// perf_event_open(2).
int lo_perf_open_event(struct perf_event_attr *attr, pid_t pid, int cpu);
/// Adds an event of a process, or of the whole CPU for -1, that writes into a ring. Returns 0 or errno.
int lo_perf_open_into(
  lo_perf_events *events, struct perf_event_attr *attr, pid_t pid, const lo_perf_ring *ring, lo_perf_kind kind,
  uint64_t address);
/// Closes all events but the first `first` ones.
void lo_perf_close_behind(lo_perf_events *events, int first);
/// An event with a ring of the first thread's own. Returns 0 or errno.
int lo_perf_open_ring(lo_perf *session, lo_perf_ring *ring, struct perf_event_attr *attr, size_t pages);

#endif
