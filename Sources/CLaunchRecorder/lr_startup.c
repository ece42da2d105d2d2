// SPDX-License-Identifier: Apache-2.0

// The recorder's first moment inside the program.
#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_clock.h"
#include "lr_recorder.h"
#include "lr_sanitizers.h"
#include "lr_trace_file.h"

#include <limits.h>
#include <sys/auxv.h>
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
  int argc;
  char **argv;
  /// The environment that the process was started with asks for complete arguments.
  bool is_unredacted;
  /// No loader ran.
  bool is_static;
  /// The recorder is part of the program. Otherwise, it is part of a shared library.
  bool is_in_program;
  /// The program's file, until the first initialiser runs.
  const char *path;
} lr_program;

bool lr_is_in_program(void) { return lr_program.is_in_program; }
bool lr_is_static_executable(void) { return lr_program.is_static; }
bool lr_is_unredacted(void) { return lr_program.is_unredacted; }
const char *lr_program_at_start(void) { return lr_program.path; }
char **lr_program_arguments(int *count) {
  *count = lr_program.argc;
  return lr_program.argv;
}

void lr_main_is_next(void) {
  lr_writer *writer = lr_writer_get();
  uint64_t now = writer ? lr_now(writer) : lr_monotonic_now();
  lr_start_of_process.main_entry = now;
  if (writer) lr_put_record_at(writer, now, LR_RECORD_END);
  lr_write_mark(LR_LITERAL(LS_MILESTONE_MAIN), now, true);
}

// The loader looks up each libc function at its first call, about a microsecond each. So the path of a program that is
// not recorded calls none.

static bool lr_adopt(const char *prepared, const char *descriptor) {
  uint64_t inherited = INT_MAX;
  if (descriptor) lr_parse_decimal(descriptor, &inherited);
  return prepared && lr_trace_file_adopt(prepared, inherited < INT_MAX ? (int)inherited : -1);
}

/// The launcher's variables are for the process that it started, not for that process's children.
static const char *lr_variable_of_launcher(char **environment, const char *name, size_t length) {
  return lr_start_of_process.from_launcher ? lr_variable(environment, name, length) : NULL;
}

static void lr_record_from_start(char **environment, const char *pattern, const char *program) {
  if (*pattern == 0) return;
  uint64_t used = lr_clock_ask(CLOCK_THREAD_CPUTIME_ID);
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
  lr_program.path = program;
  bool has_begun = lr_adopt(prepared, descriptor) ? lr_begin_writing() == 0 : lr_begin_as(pattern, limit);
  lr_program.path = NULL;
  if (!has_begun) return;
#if LR_IS_ADDRESS_SANITIZED || LR_IS_THREAD_SANITIZED
  // Too late: the libraries' initialisers have run, and the executable's are running.
  uint32_t untimed = 0;
#else
  uint32_t untimed = lr_initializers_time(program ? program : "", lr_is_static_executable());
#endif
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  // Not the time: the thread may have waited for a processor.
  lr_write_recorder(writer, (double)(int64_t)(lr_clock_ask(CLOCK_THREAD_CPUTIME_ID) - used), untimed);
  if (budgets) lr_write_budgets();
  uint64_t now = lr_now(writer);
  // The time that the recorder itself took gets a phase of its own, so that it is not charged to the program.
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_RECORDER), lr_start_of_process.preinit, LR_LITERAL(LS_SOURCE_PREINIT));
  lr_put_record_at(writer, now, LR_RECORD_END);
  lr_write_phase_begin(writer, LR_LITERAL(LS_PHASE_STATIC_INIT), now, LR_LITERAL(LS_SOURCE_PREINIT));
}

/// - argv: NULL if they are unknown.
/// - environment: the program's, which a library's constructor may have replaced; NULL after clearenv(3).
static void lr_begin_launch(lr_auxiliary system, int argc, char **argv, char **environment) {
  // glibc also calls .preinit_array of a library that the program opens with dlopen(3). The launch is the program's.
  if (!(lr_program.is_in_program = lr_auxiliary_is_of_program(&system))) return;
  char *none = NULL;
  environment = lr_own_variables(environment ? environment : &none);
  // A set-user-id program must not trust its environment.
  const char *launcher = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_START "="));
  lr_process_start_find(launcher);
  lr_program.argc = argc;
  lr_program.argv = argv;
  // Not later: the program may have changed its environment by then.
  const char *unredacted = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_UNREDACTED "="));
  lr_program.is_unredacted = unredacted && unredacted[0] == '1' && unredacted[1] == 0;
  lr_program.is_static = system.base == 0;
  const char *pattern = system.is_secure ? NULL : lr_variable(environment, LR_LITERAL(LS_VARIABLE_TRACE "="));
  if (pattern) lr_record_from_start(environment, pattern, system.program);
}

#if defined(LR_STARTS_AS_INITIALIZER)
static lr_auxiliary lr_auxiliary_ask(void) {
  return (lr_auxiliary){getauxval(AT_ENTRY), getauxval(AT_BASE), (const char *)getauxval(AT_EXECFN), getauxval(AT_SECURE) != 0};
}

/// musl passes no arguments to initialisers. The program's arguments, and before them their number, precede the kernel's
/// environment on the stack. The initialisers of libraries have run, and may have replaced that.
void lr_first_initializer(void) {
  lr_auxiliary system = lr_auxiliary_ask();
  uintptr_t count = 0, here = (uintptr_t)&count;
  bool is_kernels = (uintptr_t)environ > here && (uintptr_t)environ < getauxval(AT_RANDOM);
  // A thread that opens a library has another stack.
  char **arguments = lr_auxiliary_is_of_program(&system) && is_kernels ? environ - 1 : NULL;
  for (; arguments && (uintptr_t)arguments[-1] != count; arguments--) count++;
  lr_begin_launch(system, (int)count, arguments, environ);
}

// The linker sorts by section name: this comes before all initialisers, with or without a priority.
__attribute__((section(".init_array.00000"), used, retain)) static void (*const lr_first)(void) = lr_first_initializer;
#else
static void lr_first_moment(int argc, char **argv, char **environment) {
  lr_begin_launch(lr_auxiliary_read(argv + argc + 1), argc, argv, environment);
}

#if LR_IS_ADDRESS_SANITIZED || LR_IS_THREAD_SANITIZED
// A sanitizer's own start-up must come first, and it also uses .preinit_array. No initialiser is timed then.
__attribute__((constructor(101))) static void lr_sanitized_start(int argc, char **argv, char **environment) {
  lr_first_moment(argc, argv, environment);
}
#else
__attribute__((section(".preinit_array"), used, retain)) static void (*const lr_preinit)(int, char **, char **) =
    lr_first_moment;
#endif
#endif

// A late one among the executable's own initialisers: approximates the begin of `main` if they are not timed.
__attribute__((constructor)) static void lr_late_constructor(void) {
  // In a library, this may be long after `main` began.
  if (!lr_program.is_in_program) lr_process_start_find(NULL);
  else if (!lr_is_recording()) lr_start_of_process.main_entry = lr_clock_ask(CLOCK_MONOTONIC);
  else if (!lr_program_is_timed()) lr_main_is_next();
}

__attribute__((destructor)) static void lr_at_exit(void) {
  // A launcher ends the trace itself.
  if (lr_is_recording() && !lr_start_of_process.from_launcher) lr_stop_at_exit();
}
#endif
