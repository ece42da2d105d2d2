// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_threads.h"
#include "lr_clock.h"
#include "lr_recorder.h"
#include "lr_sanitizers.h"
#include "lr_trace_file.h"
#include "lr_trace_name.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define LR_ALWAYS_RUNS
#include "lr_start_code.h"
// After the pragma, so that their functions are there, too.
#include "lr_auxiliary.h"
#include "lr_environment.h"

// Defined here, beside the start-up entry, so that a program that uses the recorder links the entry too.
int lr_recording;
lr_process_start lr_start_of_process;

static struct {
  pthread_mutex_t lock;
  /// The process that called lr_start first. For a fork, that may be its parent.
  int32_t starter;
  lr_status status;
  int error;
  lr_options options;
  /// The program has called lr_start.
  bool is_taken_over;
  /// The completion callback has been called.
  bool is_told;
  int argc;
  char **argv;
  /// The environment that the process was started with asks for complete arguments.
  bool is_unredacted;
  /// No loader ran.
  bool is_static;
  /// The recorder is part of the program. Otherwise, it is part of a shared library.
  bool is_in_program;
  /// The program's file, until the first initialiser runs.
  const char *program;
} lr_state = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t lr_monotonic_now(void) { return lr_clock_read(CLOCK_MONOTONIC); }
uint64_t lr_wall_clock_now(void) { return lr_clock_read(CLOCK_REALTIME); }
int lr_status_errno(void) { return lr_state.error; }
const char *lr_trace_path(void) { return lr_trace_file_path(); }

lr_status lr_status_get(void) {
  if (lr_state.status == LR_STATUS_RECORDING && !lr_is_recording_process()) return LR_STATUS_FORKED;
  return lr_state.status;
}

size_t lr_trace_size(void) {
  lr_status status = lr_status_get();
  return status == LR_STATUS_RECORDING || status == LR_STATUS_STOPPED ? lr_chunks_size() : 0;
}
void lr_trace_copy(uint8_t *to, size_t size) { lr_chunks_copy(to, size); }

void lr_main_is_next(void) {
  lr_writer *writer = lr_writer_get();
  uint64_t now = writer ? lr_now(writer) : lr_monotonic_now();
  lr_start_of_process.main_entry = now;
  if (writer) lr_put_record_at(writer, now, LR_RECORD_END);
  lr_write_mark(LR_LITERAL(LS_MILESTONE_MAIN), now);
}

// MARK: Start and stop

static int lr_failed(int error) {
  __atomic_store_n(&lr_recording, 0, __ATOMIC_RELEASE);
  lr_state.status = LR_STATUS_FAILED;
  return lr_state.error = error;
}

bool lr_is_in_program(void) { return lr_state.is_in_program; }

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
  const char *source = found->from_launcher ? LR_WORD(LS_SOURCE_LAUNCHER) : LR_WORD(LS_SOURCE_ESTIMATED);
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_LOAD), found->start, source, lr_length(source, 16));
  lr_put_record_at(writer, found->preinit, LR_RECORD_END);
  if (found->main_entry == 0) return;
  // Recording was off, so the initialisers were not timed. Our own initialiser gives the closest known end.
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_STATIC_INIT), found->preinit, LR_LITERAL(LS_SOURCE_ESTIMATED));
  lr_put_record_at(writer, found->main_entry, LR_RECORD_END);
  lr_put_mark(writer, LR_LITERAL(LS_MILESTONE_MAIN), found->main_entry);
}

/// Begins to record into the file, which exists. The caller holds the lock or is the only thread.
static int lr_begin_writing(void) {
  lr_process_start_bound();
  lr_writer *writer = lr_writer_start();
  if (writer == NULL) return lr_failed(lr_writer_error());
  lr_write_clock_snapshot(writer);
  if (lr_state.is_in_program) lr_write_process(writer, lr_state.argc, lr_state.argv);
  else lr_write_process_of_library(writer);
  // Before other threads record: the main thread takes this writer over.
  lr_writer *main_thread = lr_writer_for_main();
  if (lr_state.is_in_program) lr_write_before_recording(main_thread);
  else lr_write_before_library(main_thread);
  lr_state.status = LR_STATUS_RECORDING;
  __atomic_store_n(&lr_recording, 1, __ATOMIC_RELEASE);
  return 0;
}

/// Creates the file (in memory if `path` is NULL) and begins to record into it.
static int lr_begin(const char *path, uint64_t limit) {
  int error = lr_trace_file_create(path, limit);
  if (error) return lr_failed(error);
  if ((error = lr_begin_writing())) {
    lr_trace_file_delete();
    return error;
  }
  // The file gets its name last: a named file is always a trace that says what program it is of.
  error = path ? lr_trace_file_give_name(path) : 0;
  return error ? lr_failed(error) : 0;
}

/// The same for a path in which `{pid}` is replaced. False on failure. Not inlined: room for a path would make the stack of
/// every launch a page longer.
__attribute__((noinline)) static bool lr_begin_as(const char *pattern, uint64_t limit) {
  char path[PATH_MAX];
  if (pattern == NULL) return lr_begin(NULL, limit) == 0;
  int error = lr_trace_name_expand(path, pattern);
  return (error ? lr_failed(error) : lr_begin(path, limit)) == 0;
}

void lr_error_text(int error, char *text, size_t size) { snprintf(text, size, "%s", strerror(error)); }

/// Another thread may start the recorder meanwhile. The functions that get these options must not find the lock held.
static lr_options lr_options_now(void) {
  lr_lock(&lr_state.lock);
  lr_options options = lr_state.options;
  lr_unlock(&lr_state.lock);
  return options;
}

lr_completion lr_completion_get(void) { return lr_options_now().completion; }

void lr_complete_without_display(void) {
  lr_lock(&lr_state.lock);
  lr_state.options.completion = LR_COMPLETES_AT_FIRST_FRAME_OR_READY;
  lr_unlock(&lr_state.lock);
}

/// Tells the program once that its launch is complete.
static void lr_tell(void) {
  if (__atomic_exchange_n(&lr_state.is_told, true, __ATOMIC_ACQ_REL)) return;
  const lr_options options = lr_options_now();
  if (options.completed) options.completed(options.context);
  if (options.stops_when_completed) lr_stop();
}

static void *lr_wait_for_deadline(void *unused) {
  (void)unused;
  uint64_t deadline = lr_start_of_process.start + lr_options_now().deadline;
  struct timespec until = {(time_t)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
  lr_tell();
  return NULL;
}

/// Starts a thread that watches the deadline: every thread of the program may be busy with the launch.
static void lr_watch_deadline(void) {
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

lr_start_result lr_start(const lr_options *options) {
  if (!lr_lock_start()) return LR_ALREADY_STARTED;
  lr_start_result result = LR_ALREADY_STARTED;
  if (!lr_state.is_taken_over) {
    bool by_launcher = lr_state.status == LR_STATUS_RECORDING;
    lr_state.options = *options;
    if (by_launcher) lr_state.options.stops_when_completed = false;
    lr_state.is_taken_over = by_launcher || lr_begin_as(options->path, options->limit);
    lr_writer *writer = lr_state.is_taken_over && !by_launcher ? lr_writer_get() : NULL;
    if (writer) lr_write_recorder(writer, 0, 0);
    if (lr_state.is_taken_over && options->deadline) lr_watch_deadline();
    bool was_tried = !lr_state.is_taken_over && lr_state.error == EBUSY;
    result = lr_state.is_taken_over ? LR_STARTED : was_tried ? LR_ALREADY_STARTED : LR_CANNOT_CREATE_TRACE;
  }
  lr_unlock(&lr_state.lock);
  return result;
}

void lr_stop(void) {
  if (lr_status_get() != LR_STATUS_RECORDING) return;
  pthread_mutex_lock(&lr_state.lock);
  if (lr_state.status == LR_STATUS_RECORDING) {
    // At most one snapshot after the first: snapshots of two threads might be in the file in another order than their
    // times. A launcher takes one itself after the program has ended.
    bool needs_snapshot = !lr_start_of_process.from_launcher && !lr_summary_get().completed;
    lr_writer *writer = needs_snapshot ? lr_writer_get() : NULL;
    if (writer) lr_write_clock_snapshot(writer);
    __atomic_store_n(&lr_recording, 0, __ATOMIC_RELEASE);
    // A launcher cuts the file itself, at no cost to the program.
    if (!lr_start_of_process.from_launcher) lr_chunks_end();
    lr_state.status = LR_STATUS_STOPPED;
  }
  pthread_mutex_unlock(&lr_state.lock);
}

void lr_complete_at(const char *milestone, size_t length, uint64_t time) {
  if (!ls_ends_launch(milestone, length)) return;
  // Another process shows what this one has handed over: this one draws nothing any more.
  bool is_last = ls_is(LS_MILESTONE_FULLY_DRAWN, milestone, length) || ls_is(LS_MILESTONE_HANDED_OVER, milestone, length);
  if (!is_last && lr_options_now().completion == LR_COMPLETES_AT_FULLY_DRAWN) return;
  if (!lr_summary_complete(time)) return;
  lr_writer *writer = lr_writer_get();
  if (writer) lr_write_clock_snapshot(writer);
  lr_tell();
}

__attribute__((destructor)) static void lr_at_exit(void) {
  // A launcher ends the trace itself.
  if (lr_is_recording() && !lr_start_of_process.from_launcher) lr_stop();
}

// MARK: The first moment inside the program

// The loader looks up each libc function at its first call, about a microsecond each. So the path of a program that is
// not recorded calls none.

bool lr_is_static_executable(void) { return lr_state.is_static; }
const char *lr_program_at_start(void) { return lr_state.program; }

static bool lr_begin_in(const char *prepared, const char *descriptor) {
  uint64_t inherited = INT_MAX;
  if (descriptor) lr_parse_decimal(descriptor, &inherited);
  return lr_trace_file_adopt(prepared, inherited < INT_MAX ? (int)inherited : -1) && lr_begin_writing() == 0;
}

bool lr_is_unredacted(void) { return lr_state.is_unredacted; }

/// The launcher's variables are for the process that it started, not for that process's children.
static const char *lr_variable_of_launcher(char **environment, const char *name, size_t length) {
  return lr_start_of_process.from_launcher ? lr_variable(environment, name, length) : NULL;
}

static void lr_record_from_start(char **environment, const char *pattern, const char *program) {
  if (*pattern == 0) return;
  const char *clock = lr_variable_of_launcher(environment, LR_LITERAL(LS_VARIABLE_CLOCK "="));
  uint64_t rate = 0, limit = 0;
  if (clock) lr_parse_decimal(clock, &rate);
  lr_clock_know(rate);
  const char *most = lr_variable(environment, LR_LITERAL(LS_VARIABLE_LIMIT "="));
  // `64MB` is not 64 bytes.
  if (most && *lr_parse_decimal(most, &limit) != 0) limit = 0;
  const char *budgets = lr_variable(environment, LR_LITERAL(LS_VARIABLE_BUDGETS "="));
  if (budgets) lr_budgets_read(budgets);
  const char *prepared = lr_variable_of_launcher(environment, LR_LITERAL(LS_VARIABLE_PREPARED "="));
  const char *descriptor = lr_variable_of_launcher(environment, LR_LITERAL(LS_VARIABLE_DESCRIPTOR "="));
  lr_state.program = program;
  bool has_begun = (prepared && lr_begin_in(prepared, descriptor)) || lr_begin_as(pattern, limit);
  lr_state.program = NULL;
  if (!has_begun) return;
#if LR_IS_ADDRESS_SANITIZED || LR_IS_THREAD_SANITIZED
  // Too late: the libraries' initialisers have run, and the executable's are running.
  uint32_t untimed = 0;
#else
  uint32_t untimed = lr_initializers_time(program ? program : "", lr_is_static_executable());
#endif
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  uint64_t now = lr_now(writer);
  lr_write_recorder(writer, (double)(int64_t)(now - lr_start_of_process.preinit), untimed);
  if (budgets) lr_write_budgets();
  now = lr_now(writer);
  // The time that the recorder itself took gets a phase of its own, so that it is not charged to the program.
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_RECORDER), lr_start_of_process.preinit, LR_LITERAL(LS_SOURCE_PREINIT));
  lr_put_record_at(writer, now, LR_RECORD_END);
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_STATIC_INIT), now, LR_LITERAL(LS_SOURCE_PREINIT));
}

static void lr_first_moment(int argc, char **argv, char **environment) {
  environment = lr_own_variables(environment);
  lr_auxiliary system = lr_auxiliary_read(environment);
  // glibc also calls .preinit_array of a library that the program opens with dlopen(3). The launch is the program's.
  if (!(lr_state.is_in_program = lr_auxiliary_is_of_program(&system))) return;
  // A set-user-id program must not trust its environment.
  const char *launcher = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_START "="));
  lr_process_start_find(launcher);
  lr_state.argc = argc;
  lr_state.argv = argv;
  // Not later: the program may have changed its environment by then.
  const char *unredacted = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_UNREDACTED "="));
  lr_state.is_unredacted = unredacted && unredacted[0] == '1' && unredacted[1] == 0;
  lr_state.is_static = system.base == 0;
  const char *pattern = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_TRACE "="));
  if (pattern) lr_record_from_start(environment, pattern, system.program);
}

#if LR_IS_ADDRESS_SANITIZED || LR_IS_THREAD_SANITIZED
// A sanitizer's own start-up must come first, and it also uses .preinit_array. No initialiser is timed then.
__attribute__((constructor(101))) static void lr_sanitized_start(int argc, char **argv, char **environment) {
  lr_first_moment(argc, argv, environment);
}
#elif defined(LR_STARTS_AS_INITIALIZER)
/// musl passes no arguments to initialisers. The program's arguments, and before them their number, precede its
/// environment in memory.
void lr_first_initializer(void) {
  char **arguments = environ - 1;
  uintptr_t count = 0;
  for (; (uintptr_t)arguments[-1] != count; arguments--) count++;
  lr_first_moment((int)count, arguments, environ);
}

// The linker sorts by section name: this comes before all initialisers, with or without a priority.
__attribute__((section(".init_array.00000"), used, retain)) static void (*const lr_first)(void) = lr_first_initializer;
#else
__attribute__((section(".preinit_array"), used, retain)) static void (*const lr_preinit)(int, char **, char **) =
    lr_first_moment;
#endif

// A late one among the executable's own initialisers: approximates the begin of `main` if they are not timed.
__attribute__((constructor)) static void lr_late_constructor(void) {
  // In a library, this may be long after `main` began.
  if (!lr_state.is_in_program) lr_process_start_find(NULL);
  else if (!lr_is_recording()) lr_start_of_process.main_entry = lr_clock_ask(CLOCK_MONOTONIC);
  else if (!lr_program_is_timed()) lr_main_is_next();
}
#endif
