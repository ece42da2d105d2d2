// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_C_LAUNCH_OBSERVER_H
#define LAUNCHPROF_C_LAUNCH_OBSERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lo_cold.h"
#include "lo_order.h"
#include "lo_ready.h"
#include "lo_trace.h"
#include "lo_wayland.h"

// The signals that `lo_signal_watch_begin` takes over. All others keep the disposition that the launcher started with.
//
//   caught, and reported through the pipe: SIGCHLD SIGINT SIGQUIT SIGTERM SIGHUP SIGALRM SIGUSR1 SIGUSR2
//   ignored:                               SIGTSTP SIGTTIN SIGTTOU SIGXFSZ SIGPIPE
//
// A process has one set of dispositions, so only one watch can run at a time. A second begin returns -EBUSY.

/// One signal as the pipe of `lo_signal_watch_begin` delivers it.
typedef struct {
  /// CLOCK_MONOTONIC, ns.
  uint64_t time;
  uint8_t signal;
  /// 1 if the kernel sent it (a key on the terminal, a hang-up, a child): the whole process group has already got it.
  uint8_t from_kernel;
} lo_signal;

/// Lets this process wait for its children even if it was started with SIGCHLD ignored. Launched programs still get
/// SIGCHLD as this process got it. Call it before the first thread and the first child.
void lo_signals_expect_children(void);

/// Starts to catch signals, also those that the calling thread blocks. Returns the end of a pipe from which to read
/// `lo_signal`s (non-blocking, close-on-exec), or -errno.
int lo_signal_watch_begin(void);
/// Restores the former dispositions and the mask, and closes the pipe. Call it in the same thread.
void lo_signal_watch_end(void);

/// Raises this process's soft limit of open files, so that perf events of all CPUs find room; launched programs keep the
/// former one. Does nothing if the limit is high enough, or may not be raised. Only one thread at a time may call this.
void lo_open_files_raise(void);
/// Restores the former limit. Files that are open stay open.
void lo_open_files_restore(void);

/// What to launch. All memory belongs to the caller, and is touched only during `lo_launch`.
typedef struct {
  /// Paths to try in this order, as execvp does with PATH. Ends with NULL.
  char *const *candidates;
  char *const *arguments;
  char *const *environment;
  /// The directory in which the program begins; NULL for that of the launcher.
  const char *directory;
  /// Where in `environment` to write the stamp `<pid>:<CLOCK_MONOTONIC ns>`: `LO_STAMP_SIZE` bytes, or NULL.
  char *stamp;
  /// Where in `environment` to write the process's own id, in decimal: LO_ID_SIZE bytes each. Ends with NULL, or is
  /// NULL.
  char *const *ids;
  /// The program's standard output and standard error; -1 leaves a stream as it is.
  int output, error;
  /// A close-on-exec descriptor that the program inherits anyway; -1 for none.
  int inherited;
  /// Called in the launcher with the process's id, while the process waits to execute the program; NULL for nothing.
  void (*prepare)(void *context, pid_t pid);
  void *context;
  /// CPU time, ns, that the process spends between the stamp and execve: the launch gets slower by this much.
  uint64_t delay_ns;
} lo_request;

enum { LO_STAMP_SIZE = 40, LO_ID_SIZE = 12 };
/// `candidate` of a launch whose directory cannot be entered.
enum { LO_NO_DIRECTORY = -2 };

typedef struct {
  pid_t pid;
  /// Readable after the program has ended; -1 if the kernel has none.
  int pidfd;
  /// CLOCK_MONOTONIC when the program ran and this process got signals again. One that came before may have missed the
  /// program: the kernel sends it to the processes that the group has at that moment.
  uint64_t begin_ns;
  /// CLOCK_MONOTONIC right before the execve that succeeded.
  uint64_t exec_ns;
  /// CPU time that the process had used by then. It is the launcher's, not the program's.
  uint64_t cpu_ns;
  /// 0, or why nothing was launched. In that case there is no process.
  int error;
  /// The candidate that `error` or the launch refers to; -1 for the clone itself.
  int candidate;
} lo_launched;

/// Launches a program in the launcher's own process group, with the signal mask and dispositions that the launcher
/// itself started with.
void lo_launch(const lo_request *request, lo_launched *launched);

typedef enum { LO_RUNNING, LO_STOPPED, LO_EXITED, LO_SIGNALLED, LO_GONE } lo_state;

typedef struct {
  lo_state state;
  /// Exit status, or signal.
  int code;
  /// For a traced process that stopped: PTRACE_EVENT_…, or 0 for a signal that is about to be delivered.
  int event;
  uint64_t exit_ns;
  uint64_t user_ns, system_ns;
  uint64_t max_rss_bytes;
  uint64_t minor_faults, major_faults;
  uint64_t voluntary_switches, involuntary_switches;
  uint64_t read_bytes;
} lo_status;

/// The state of a child, without waiting: wait4(WNOHANG|WUNTRACED). LO_GONE if there is no such child, or,
/// with an errno as `code`, if the kernel refuses to tell.
void lo_poll_child(pid_t pid, lo_status *status);
/// A child that has ended and whose status is not collected yet, or 0. The status stays where it is.
pid_t lo_ended_child(void);
/// The state of a thread attached by ptrace(2), without waiting. False if it runs. LO_GONE if it has ended.
bool lo_poll_thread(pid_t thread, lo_status *status);

/// Whether /proc/PID is the process that has this number for the caller: /proc is there, and of the same pid namespace.
bool lo_sees_processes(void);

/// Makes the caller the parent of orphans among its descendants (PR_SET_CHILD_SUBREAPER). Returns 0 or errno.
int lo_set_subreaper(bool on);

/// Whether a pipe or a socket is empty for ever.
bool lo_pipe_is_used_up(int pipe);

/// A file without a name that has the content of a pipe, to be closed by the caller. The pipe keeps its content. -1 unless the
/// writer has ended in this time, and all of the content is still in the pipe.
int lo_pipe_copy(int pipe, int wait_ms);
/// Sends a signal to a process by its pidfd, which never means a later process with the same id. Returns 0 or errno.
int lo_signal_process(int pidfd, int signal);
/// pidfd_open(2): a descriptor, or -errno.
int lo_open_process(pid_t pid);

// MARK: perf_event_open(2)
//
// One session observes one process, its threads and (except for breakpoints) its descendants. Its events go into one
// ring per CPU. Every record ends, and every sample begins, with PERF_SAMPLE_IDENTIFIER. The clock is CLOCK_MONOTONIC.

typedef struct lo_perf_rings lo_perf_rings;
typedef struct lo_perf lo_perf;

/// The kind of an event, which identifies its samples.
typedef enum {
  /// Samples {id, ip, tid, time, cpu, call chain} by the CPU clock; with copies of the stack also {kind of registers, registers,
  /// size of the stack, stack, size again}.
  LO_PERF_SAMPLES,
  /// Samples {id, ip, tid, time, address, cpu}: major page faults. Also records of exec, mappings, switches, threads.
  LO_PERF_FAULTS,
  /// Samples {id, ip, tid, time, cpu}: a breakpoint was reached.
  LO_PERF_BREAKPOINT,
  /// Samples {id, tid, time, cpu, raw} of a thread that leaves its CPU: the tracepoint sched:sched_switch.
  LO_PERF_SWITCH,
  /// Samples {id, tid, time, cpu, raw} of a thread that makes another one runnable, if either is in the session: the
  /// tracepoint sched:sched_waking. Some come twice.
  LO_PERF_WAKING,
  /// Samples {id, tid, time, cpu, call chain, {registers, three arguments}}: a function's call, in any process.
  LO_PERF_CALL,
  /// Samples {id, tid, time, cpu}: its return.
  LO_PERF_RETURN,
  /// Samples {id, tid, time, cpu}: a call of a function of which only the number of calls is wanted.
  LO_PERF_COUNT,
  /// Samples as LO_PERF_SAMPLES, of a thread that leaves its CPU. Some are missing, because they have little room.
  LO_PERF_WAIT,
} lo_perf_kind;

typedef struct {
  uint64_t id;
  lo_perf_kind kind;
  /// The address of a breakpoint, or the `place` of a probe.
  uint64_t address;
} lo_perf_event;

/// Makes the rings for sessions, one session at a time. Make them once, and early. Otherwise their zeros fill the
/// caches in which the next program starts. Large ones are for probes. Returns 0 and the rings, or errno.
int lo_perf_rings_open(lo_perf_rings **rings, bool is_large);
void lo_perf_rings_close(lo_perf_rings *rings);

/// Opens a session on a process that is about to execute a program; recording begins with execve.
///
/// `sample_ns` is the period of samples in CPU time, 0 for none. With each sample the kernel copies the registers and up to
/// `stack_bytes` of the stack. `rings` must outlive the session. Returns 0 and the session, or errno.
int lo_perf_open(lo_perf_rings *rings, pid_t pid, uint64_t sample_ns, uint32_t stack_bytes, lo_perf **session);
/// The registers of a sample by DWARF's numbers, in the kernel's order; -1 for the program counter.
const int *lo_perf_register_numbers(size_t *count);
/// Opens the root of tracefs without mounting it anywhere: fsopen(2), fsmount(2), Linux 5.2. Needs CAP_SYS_ADMIN. The
/// caller closes the descriptor. Returns -1 on failure.
int lo_open_tracefs(void);
/// Adds the scheduler's two tracepoints, given by their numbers in tracefs. Needs CAP_PERFMON. For the first thread,
/// interrupts and other programs that wake it are also reported. This needs the kernel's own number of the thread
/// (`is_own_number`: false in a container). Returns 0, or an errno without any change.
int lo_perf_watch_scheduling(lo_perf *session, uint64_t switch_id, uint64_t waking_id, bool is_own_number);
/// Keeps the tracepoints in use as long as the rings last. The kernel changes its code for the first user, and after
/// the last one it waits for all CPUs. Each takes tens of milliseconds. Returns 0 or errno.
int lo_perf_hold_tracepoints(lo_perf_rings *rings, uint64_t switch_id, uint64_t waking_id);
/// A place in the code of a file, in every process that maps it (uprobe).
typedef struct {
  const char *path;
  /// File offset of a function's first instruction.
  uint64_t offset;
  /// What it reports: LO_PERF_CALL, LO_PERF_RETURN or LO_PERF_COUNT.
  lo_perf_kind kind;
  /// The value for the event's `address`.
  uint64_t place;
  /// Calls of the thread that adds it are also reported, if the kernel knows that thread by the same number.
  bool is_of_launcher;
} lo_probe;

/// Adds a probe for all sessions that watch probes. Needs CAP_PERFMON, and before about Linux 5.18 also CAP_SYS_ADMIN.
/// Returns 0 or errno.
int lo_perf_add_probe(lo_perf_rings *rings, const lo_probe *probe);
/// A function that does nothing: a probe on it shows what a probe costs.
void lo_probe_target(void);
uint64_t lo_probe_target_address(void);
/// Watches the probes until the session ends. Call it again after adding probes. They report the calls of one process, or
/// of all for 0. Without BPF (Linux 5.7) the kernel cannot filter by process, and they report the calls of all.
void lo_perf_watch_probes(lo_perf *session, pid_t process);
/// Stops the probes. Their records can still be drained.
void lo_perf_leave_probes(lo_perf *session);

/// Ends the recording. Its records can still be drained.
void lo_perf_stop(lo_perf *session);
void lo_perf_close(lo_perf *session);

/// Makes the last descriptor readable when the first thread executes a program. When the thread ends, the descriptor
/// hangs up. Call it again in both cases. Returns 0, or an errno if there is no such descriptor.
int lo_perf_watch_exec(lo_perf *session);
bool lo_perf_watches_exec(const lo_perf *session);

/// Sets a breakpoint at an address for the process's first thread, which reports once. If `is_inherited`, it stays, and
/// where the kernel can (Linux 5.13), it also applies to threads that are created later. Returns 0 or errno.
int lo_perf_add_breakpoint(lo_perf *session, uint64_t address, bool is_inherited);
/// Removes all breakpoints. Drain their earlier events before.
void lo_perf_remove_breakpoints(lo_perf *session);

int lo_perf_event_count(const lo_perf *session);
lo_perf_event lo_perf_event_at(const lo_perf *session, int index);

int lo_perf_descriptor_count(const lo_perf *session);
/// Poll it for POLLIN: a ring is half full, or see `lo_perf_watch_exec`.
int lo_perf_descriptor_at(const lo_perf *session, int index);

/// Passes what the rings hold to `take`, ring by ring and record by record, and frees it. A record is passed in pieces, cut at
/// any byte. Copied stacks are cut to what the kernel could read, and left out after 64 MiB. Unless it is the last time, stacks of
/// waits are taken every 50 ms only, which limits what they cost.
void lo_perf_drain(
  lo_perf *session, bool is_last, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context);

/// Whether a thread has given up its CPU voluntarily since the last call or the session's beginning; also true if
/// unknown. Reads only the rings' memory.
bool lo_perf_has_waited(lo_perf *session);

/// Records that found no room, as far as the kernel reports them: of all events, and of the samples.
void lo_perf_lost(const lo_perf *session, uint64_t *all, uint64_t *samples);

/// What a counter counts, in user mode.
typedef enum {
  /// Counted by the processor. Virtual machines often have no such counter.
  LO_COUNT_INSTRUCTIONS,
  /// Counted by the kernel, on every machine.
  LO_COUNT_PAGE_FAULTS,
} lo_counted;

/// Opens a counter for the programs that the calling thread's later children execute, with all their threads and children.
/// Returns a descriptor or -errno.
int lo_counter_open(lo_counted counted);
/// What processes that have ended were counted for. Returns 0, or errno: ENODATA if the counter did not count all the time.
int lo_counter_read(int descriptor, uint64_t *count);

// MARK: System calls

/// A system call that is about a file, and in which a thread may wait for long.
typedef struct {
  long number;
  /// Which argument, counted from 0, is the file's descriptor or path; -1 for none.
  int descriptor_argument, path_argument;
} lo_system_call_form;

/// NULL for other calls.
const lo_system_call_form *lo_system_call_of_file(long number);
/// This machine's number of a call of a 32-bit program in which a thread may wait for long; -1 for other calls.
long lo_system_call_of_32_bits(long number);
/// The name of any system call of this machine; NULL if no call has this number.
const char *lo_system_call_name(long number);

/// Waits like poll(2), at most `nanoseconds`; for ever if negative.
int lo_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);

/// The model in the kernel's text about the processors, NUL-terminated and cut to `size` bytes; "" if it has none.
void lo_processor_model(const char *information, char *model, size_t size);

/// What this process, and the programs that it starts, may use.
typedef struct lo_usable {
  uint32_t processors;
  /// Bytes.
  uint64_t memory;
} lo_usable;
/// Less than the machine has, if the affinity or a control group limits it.
lo_usable lo_usable_now(void);
/// `machine` with the limits of control groups: of the text of /proc/self/cgroup, which is changed, below the mount `root`.
lo_usable lo_limited(lo_usable machine, char *groups, const char *root);

/// The ELF file that the kernel maps into this program, the vDSO, and its size in bytes; NULL if there is none (vdso(7)).
const void *lo_kernel_code(size_t *size);

/// CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME in ns, at one moment.
void lo_read_clocks(uint64_t *monotonic, uint64_t *boottime, uint64_t *realtime);
/// CLOCK_MONOTONIC, ns.
uint64_t lo_now(void);
/// The rate of the cycle counter, ns per tick times 2^32; 0 if its rate is not constant. Measured over 2 ms or more
/// since the process began: in the first 2 ms it waits.
uint64_t lo_counter_rate(void);

/// Free bytes of a file system in memory (tmpfs); 0 if the path is on another kind.
uint64_t lo_memory_room(const char *path);
/// True if a file is on a file system in memory (tmpfs, ramfs).
bool lo_is_in_memory(const char *path);
/// Whether `read_bytes` of proc_pid_io(5) has what is read from the file system of `path`: not that of FUSE, 9p or virtiofs.
bool lo_counts_reads(const char *path);
/// True if a program gets capabilities from its file: capabilities(7).
bool lo_has_capabilities(const char *path);
/// True if a path names a FIFO. `directory` is where a relative path begins, and the root of an absolute one. Waits for no file
/// system: false if the kernel would have to read something to know, or is older than Linux 5.12.
bool lo_is_cached_fifo(const char *directory, const char *path);

/// The environment that the launcher started with. Ends with NULL.
char *const *lo_environment(void);

/// Stops the caller with `signal` (SIGTSTP, SIGSTOP, …) and its default action, because its child `program` has stopped. Returns
/// when the caller is continued: by a shell, or because the program runs again, or has ended. A child process looks at
/// /proc for that, 50 times a second.
void lo_stop_with(pid_t program, int signal);

/// Ends the caller with `signal` and its default action, without a core file. Returns if the signal does not kill.
void lo_die_of(int signal);

#endif
