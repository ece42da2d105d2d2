// SPDX-License-Identifier: Apache-2.0

// Begins and ends recording, and completes the launch.
#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_threads.h"
#include "lr_recorder.h"
#include "lr_trace_file.h"
#include "lr_trace_name.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "lr_start_code.h"

static struct {
  pthread_mutex_t lock;
  /// The process that called lr_start first. For a fork, that may be its parent.
  int32_t starter;
  lr_status status;
  int error;
  lr_options options;
  /// The program has called lr_start.
  bool is_taken_over;
  /// The program knows that its launch is complete, or that its deadline has passed.
  bool is_told;
  /// Signalled when the thread that waits for the deadline has nothing to wait for. Made by lr_watch_deadline.
  pthread_cond_t changed;
} lr_state = {.lock = PTHREAD_MUTEX_INITIALIZER};

int lr_status_errno(void) { return __atomic_load_n(&lr_state.error, __ATOMIC_RELAXED); }

/// Any thread may ask for the status, without the lock. It then sees what was stored before.
static void lr_status_set(lr_status status) { __atomic_store_n(&lr_state.status, status, __ATOMIC_RELEASE); }

lr_status lr_status_get(void) {
  lr_status status = __atomic_load_n(&lr_state.status, __ATOMIC_ACQUIRE);
  return status == LR_STATUS_RECORDING && !lr_is_recording_process() ? LR_STATUS_FORKED : status;
}

const char *lr_trace_path(void) { return lr_status_get() == LR_STATUS_FORKED ? NULL : lr_trace_file_path(); }

size_t lr_trace_size(void) {
  lr_status status = lr_status_get();
  return status == LR_STATUS_RECORDING || status == LR_STATUS_STOPPED ? lr_chunks_size() : 0;
}

static int lr_failed(int error) {
  // A file that is mapped already is only the consequence of what failed before.
  if (error == EBUSY && lr_state.error) error = lr_state.error;
  __atomic_store_n(&lr_recording, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&lr_state.error, error, __ATOMIC_RELAXED);
  lr_status_set(LR_STATUS_FAILED);
  return error;
}

/// The program may have opened the library long after its own launch. So what came before was not the library's loading.
static void lr_write_before_library(lr_writer *writer) {
  const lr_process_start *found = &lr_start_of_process;
  if (found->preinit <= found->start) return;
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_BEFORE_RECORDER), found->start, LR_LITERAL(LS_SOURCE_ESTIMATED));
  lr_put_record_at(writer, found->preinit, LR_RECORD_END);
}

/// What happened before recording began.
static void lr_write_before_recording(lr_writer *writer) {
  const lr_process_start *found = &lr_start_of_process;
  if (found->preinit == 0) return;
  const char *source = found->from_launcher ? LR_WORD(LS_SOURCE_LAUNCHER) : LR_WORD(LS_SOURCE_ESTIMATED);
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_LOAD), found->start, source, lr_length(source, 16));
  lr_put_record_at(writer, found->preinit, LR_RECORD_END);
  if (found->main_entry == 0) return;
  // Recording was off, so the initialisers were not timed. Our own initialiser gives the closest known end.
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_STATIC_INIT), found->preinit, LR_LITERAL(LS_SOURCE_ESTIMATED));
  lr_put_record_at(writer, found->main_entry, LR_RECORD_END);
  lr_put_mark(writer, LR_LITERAL(LS_MILESTONE_MAIN), found->main_entry);
}

int lr_begin_writing(void) {
  lr_process_start_bound();
  lr_writer *writer = lr_writer_start();
  if (writer == NULL) return lr_failed(lr_writer_error());
  lr_write_clock_snapshot(writer);
  int count;
  char **arguments = lr_program_arguments(&count);
  if (arguments) lr_write_process(writer, count, arguments);
  else lr_write_process_of_kernel(writer);
  // Before other threads record: the main thread takes this writer over.
  lr_writer *main_thread = lr_writer_for_main();
  if (lr_is_in_program()) lr_write_before_recording(main_thread);
  else lr_write_before_library(main_thread);
  lr_status_set(LR_STATUS_RECORDING);
  __atomic_store_n(&lr_recording, 1, __ATOMIC_RELEASE);
  return 0;
}

/// Creates the file (in memory if `path` is NULL) and begins to record into it.
static int lr_begin(const char *path, uint64_t limit) {
  // What is mapped for a file stays mapped, so that no other start can follow. A name that is taken must be found before.
  int error = path ? lr_trace_name_find(path) : 0;
  if (error == 0) error = lr_trace_file_create(path, limit);
  if (error) return lr_failed(error);
  if ((error = lr_begin_writing())) {
    lr_trace_file_delete();
    return error;
  }
  // The file gets its name last: a named file is always a trace that says what program it is of.
  error = path ? lr_trace_file_give_name(path) : 0;
  return error ? lr_failed(error) : 0;
}

// Not inlined: room for a path would make the stack of every launch a page longer.
__attribute__((noinline)) bool lr_begin_as(const char *pattern, uint64_t limit) {
  char path[PATH_MAX];
  if (pattern == NULL) return lr_begin(NULL, limit) == 0;
  int error = lr_trace_name_expand(path, pattern);
  return (error ? lr_failed(error) : lr_begin(path, limit)) == 0;
}

void lr_error_text(int error, char *text, size_t size) { snprintf(text, size, "%s", strerror(error)); }

/// Another thread may start the recorder meanwhile.
lr_completion lr_completion_get(void) {
  lr_lock(&lr_state.lock);
  lr_completion completion = lr_state.options.completion;
  lr_unlock(&lr_state.lock);
  return completion;
}

void lr_complete_without_display(void) {
  lr_lock(&lr_state.lock);
  lr_state.options.completion = LR_COMPLETES_AT_FIRST_FRAME_OR_READY;
  lr_unlock(&lr_state.lock);
}

/// Tells the program once that its launch is complete. If it has not started the recorder yet, lr_start does that later.
static void lr_tell(void) {
  lr_lock(&lr_state.lock);
  const lr_options options = lr_state.options;
  bool is_first = lr_state.is_taken_over && !lr_state.is_told;
  if (is_first) lr_state.is_told = true;
  // The thread that waits for the deadline ends: the program may need to have one thread only, as unshare(2) does.
  if (is_first && options.deadline) pthread_cond_signal(&lr_state.changed);
  lr_unlock(&lr_state.lock);
  if (!is_first) return;
  if (options.completed) options.completed(options.context);
  if (options.stops_when_completed) lr_stop();
}

/// The launch is complete, or will not be: no milestone counts after the program has stopped the recording.
static bool lr_is_over(void) { return lr_state.is_told || lr_state.status == LR_STATUS_STOPPED; }

static void *lr_wait_for_deadline(void *unused) {
  (void)unused;
  lr_lock(&lr_state.lock);
  uint64_t deadline = lr_start_of_process.start + lr_state.options.deadline;
  struct timespec until = {(time_t)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
  int error = 0;
  while (!lr_is_over() && error == 0) error = pthread_cond_timedwait(&lr_state.changed, &lr_state.lock, &until);
  bool is_over = lr_is_over();
  lr_unlock(&lr_state.lock);
  if (is_over) return NULL;
  if (lr_summary_time_out()) lr_metadata(LR_LITERAL(LS_KEY_DEADLINE), LR_LITERAL(LS_DEADLINE_PASSED));
  lr_tell();
  return NULL;
}

/// Starts a thread that watches the deadline: every thread of the program may be busy with the launch.
static void lr_watch_deadline(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&lr_state.changed, &attributes);
  sigset_t before;
  lr_block_signals(&before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, lr_wait_for_deadline, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/// False in a fork of a process that was in lr_start: no thread of the fork will release the lock.
static bool lr_lock_start(void) {
  int32_t own = lr_current_process(), starter = 0;
  if (__atomic_compare_exchange_n(&lr_state.starter, &starter, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) starter = own;
  if (starter != own && !lr_is_fork()) return pthread_mutex_trylock(&lr_state.lock) == 0;
  lr_lock(&lr_state.lock);
  return true;
}

/// Begins to record, or takes over what a launcher began. The caller holds the lock.
static lr_start_result lr_take_over(const lr_options *options) {
  uint64_t before = lr_clock_ask(CLOCK_THREAD_CPUTIME_ID);
  bool by_launcher = lr_state.status == LR_STATUS_RECORDING;
  lr_state.options = *options;
  if (by_launcher) lr_state.options.stops_when_completed = false;
  if (!by_launcher && !lr_begin_as(options->path, options->limit))
    return lr_state.error == EBUSY ? LR_ALREADY_STARTED : LR_CANNOT_CREATE_TRACE;
  lr_state.is_taken_over = true;
  bool is_complete = lr_summary_is_complete();
  if (options->deadline && !is_complete) lr_watch_deadline();
  lr_writer *writer = by_launcher ? NULL : lr_writer_get();
  if (writer) lr_write_recorder(writer, (double)(int64_t)(lr_clock_ask(CLOCK_THREAD_CPUTIME_ID) - before), 0);
  return LR_STARTED;
}

// Weak: a static executable does not need them.
extern __typeof(dladdr) dladdr __attribute__((weak));
extern __typeof(dlsym) dlsym __attribute__((weak));

/// Keeps a library that contains the recorder loaded until the process ends, even if the program calls dlclose(3). The
/// recorder's own threads call its code, and so does the end of each thread that has recorded.
static void lr_stay_loaded(void) {
  Dl_info library;
  if (lr_is_in_program() || !dladdr || !dlsym) return;
  // The linker would warn of dlopen by its name in each static executable.
  void *(*open_library)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");
  if (open_library && dladdr((const void *)lr_start, &library) && library.dli_fname)
    open_library(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

lr_start_result lr_start(const lr_options *options) {
  // Before the lock: another thread may hold the loader's lock and wait for this one.
  lr_stay_loaded();
  if (lr_is_fork() && !lr_state.is_taken_over) return LR_NOTHING_TO_START;  // D405
  if (!lr_lock_start()) return LR_ALREADY_STARTED;
  // Also what a launcher began may have been stopped.
  bool has_begun = lr_state.is_taken_over || lr_state.status == LR_STATUS_STOPPED;
  lr_start_result result = has_begun ? LR_ALREADY_STARTED : lr_take_over(options);
  lr_unlock(&lr_state.lock);
  // A launcher may have recorded the end of the launch already.
  if (result == LR_STARTED && lr_summary_is_complete()) lr_tell();
  return result;
}

static void lr_end_recording(bool is_exit) {
  if (lr_status_get() != LR_STATUS_RECORDING) return;
  pthread_mutex_lock(&lr_state.lock);
  if (lr_state.status == LR_STATUS_RECORDING) {
    // At most one snapshot after the first: snapshots of two threads might be in the file in another order than their
    // times. A launcher takes one itself after the program has ended. Readers take a second one for
    // the end of the launch, so there is none if the launch goes on (D402).
    bool needs_snapshot = is_exit && !lr_start_of_process.from_launcher && !lr_summary_get().completed;
    lr_writer *writer = needs_snapshot ? lr_writer_get() : NULL;
    if (writer) lr_write_clock_snapshot(writer);
    __atomic_store_n(&lr_recording, 0, __ATOMIC_RELEASE);
    // A launcher cuts the file itself, at no cost to the program.
    if (!lr_start_of_process.from_launcher) lr_chunks_end();
    lr_status_set(LR_STATUS_STOPPED);
    if (lr_state.options.deadline) pthread_cond_signal(&lr_state.changed);
  }
  pthread_mutex_unlock(&lr_state.lock);
}

void lr_stop(void) { lr_end_recording(false); }

void lr_stop_at_exit(void) { lr_end_recording(true); }

void lr_complete_at(const char *milestone, size_t length, uint64_t time) {
  if (!ls_ends_launch(milestone, length)) return;
  if (!ls_ends_full_display(milestone, length) && lr_completion_get() == LR_COMPLETES_AT_FULLY_DRAWN) return;
  if (!lr_summary_complete(time)) return;
  lr_writer *writer = lr_writer_get();
  if (writer) lr_write_clock_snapshot(writer);
  lr_tell();
}
#endif
