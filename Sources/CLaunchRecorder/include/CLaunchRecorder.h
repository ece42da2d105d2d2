// SPDX-License-Identifier: Apache-2.0

// The recorder inside the profiled program: clock, trace file, events, phases, static initialisers.
//
// Thread safety: every function may be called from any thread, but not from a signal handler. A call made while not
// recording costs one load and one branch. Kinds are plain integers with named values. Swift would import an enum as a
// type, and every program that links the library would relocate its metadata at launch.
#ifndef CLAUNCH_RECORDER_H
#define CLAUNCH_RECORDER_H

#include <errno.h>
#include <signal.h>
#include <termios.h>

#include "lr_budgets.h"
#include "lr_intervals.h"
#include "lr_phases.h"
#include "lr_sampling.h"

LR_HIDDEN_BEGIN

// MARK: Start and stop

typedef uint32_t lr_status;
enum {
  LR_STATUS_OFF,
  LR_STATUS_RECORDING,
  LR_STATUS_STOPPED,
  /// The trace file could not be created: see lr_status_errno.
  LR_STATUS_FAILED,
  /// A fork of a recording process. The parent records, the fork does not.
  LR_STATUS_FORKED,
};

typedef uint32_t lr_completion;
enum { LR_COMPLETES_AT_FIRST_FRAME_OR_READY, LR_COMPLETES_AT_FULLY_DRAWN };

typedef struct lr_options {
  /// NULL: record into memory.
  const char *path;
  /// Largest size of the trace, bytes; 0: the default.
  uint64_t limit;
  lr_completion completion;
  bool stops_when_completed;
  /// ns from process start, 0 for none: a launch not complete by then is reported too.
  uint64_t deadline;
  /// Called at most once: by the thread that reaches the last milestone, by a thread of the recorder when the deadline
  /// passes, or by lr_start if the launch is complete already. May be NULL.
  void (*completed)(void *context);
  void *context;
} lr_options;

typedef uint32_t lr_start_result;
enum {
  LR_STARTED,
  /// The program has called lr_start before.
  LR_ALREADY_STARTED,
  /// See lr_status_errno.
  LR_CANNOT_CREATE_TRACE,
  /// This process is a fork of one that a launcher records, or whose own lr_start failed late: only its trace could not get
  /// its name. Nothing is recorded, and nothing completes.
  LR_NOTHING_TO_START,
};

/// Begins to record. Once per process. If a launcher has already begun, only the completion is taken over. In a fork of the
/// process that a launcher records, it does nothing.
lr_start_result lr_start(const lr_options *options);
/// Ends recording and cuts the file's unused tail. Idempotent.
void lr_stop(void);
lr_status lr_status_get(void);
lr_completion lr_completion_get(void);
/// This launch shows nothing, so it is complete at `ready`, also with LR_COMPLETES_AT_FULLY_DRAWN.
void lr_complete_without_display(void);
/// Why the trace could not be created.
int lr_status_errno(void);
/// The errno if files may not be as large as the smallest trace.
enum { LR_FILES_ARE_TOO_SMALL = EFBIG };
/// The errno if the path of the trace is a directory.
enum { LR_PATH_IS_A_DIRECTORY = EISDIR };
/// The errno if the path of the trace and its numbered forms exist.
enum { LR_ALL_NAMES_ARE_TAKEN = EEXIST };
/// The errno if the kernel lacks MADV_WIPEONFORK (Linux 4.14), which keeps a fork out of a writer's memory.
enum { LR_NO_WIPE_ON_FORK = ENOSYS };
/// The text of an errno, NUL-terminated.
void lr_error_text(int error, char *text, size_t size);
/// Path of the trace file, NULL if there is none. A fork of a recording process has none.
const char *lr_trace_path(void);
/// The size of the trace so far, bytes; 0 if there is none.
size_t lr_trace_size(void);
/// Copies the first `size` bytes of the trace, at most lr_trace_size. The copy is a whole trace, even if other threads
/// write meanwhile.
void lr_trace_copy(uint8_t *to, size_t size);
/// CLOCK_MONOTONIC, ns.
uint64_t lr_monotonic_now(void);
/// CLOCK_REALTIME, ns since 1970.
uint64_t lr_wall_clock_now(void);
/// True on the first thread, and on a thread that currently runs the main queue.
bool lr_is_main_thread(void);

// MARK: The main queue, for event loops

/// Readable while work waits on the main queue (the main actor's). -1: the program has no main queue, or the calling
/// thread must not run it.
int lr_main_queue_descriptor(void);
/// Runs the work that waits there. Does nothing where the descriptor is -1.
void lr_main_queue_run(void);

#if defined(__linux__)
// MARK: Signals, for event loops

/// From now on each signal `number` writes its number to `descriptor` as one byte. The descriptor must not block: a
/// byte that finds no room is dropped. One descriptor per signal. If the program has closed it, a signal whose default action
/// ends a program has that action. Returns false for a signal that is ignored or cannot be caught.
bool lr_signal_catch(int number, int descriptor, struct sigaction *former);
/// Call it when the descriptor has been read. If SIGTERM, SIGINT or SIGHUP comes more than a second after one of them that was
/// not read, it has its default action.
void lr_signal_read(void);
/// Restores what `lr_signal_catch` found.
void lr_signal_release(int number, const struct sigaction *former);
/// write(2) without its signal: a pipe or socket without a reader does not end the program. The error does not matter.
void lr_write_quietly(int file, const void *bytes, size_t length);

// MARK: The terminal of a full-screen program

/// A full-screen program takes the terminal over, whose modes were these.
void lr_terminal_taken(const struct termios *before);
/// Gives the terminal back: shows the cursor, leaves the alternate screen, and restores the modes. Does nothing if this process
/// has not taken it over, or is in the background. Async-signal-safe: POSIX lists each function that it calls.
void lr_terminal_give_back(void);
#endif

// MARK: Summary

/// A milestone. Phases and intervals are in the trace.
#define LR_SUMMARY_NAME 64
typedef struct lr_summary_entry {
  char name[LR_SUMMARY_NAME];
  uint64_t start;
} lr_summary_entry;

typedef struct lr_summary {
  uint64_t process_start, process_start_error, preinit, main_entry, completed;
  bool start_from_launcher;
  /// The deadline passed before the launch was complete.
  bool timed_out;
  uint64_t events_dropped;
} lr_summary;

/// Milestones that are held: the first 64, and those that end a launch.
#define LR_SUMMARY_CAPACITY 68
lr_summary lr_summary_get(void);
/// The milestone at `index`. False after the last one that is held.
bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry);
/// The entry's name, NUL-terminated.
static inline const char *lr_summary_name(const lr_summary_entry *entry) { return entry->name; }

LR_HIDDEN_END

#endif
