#ifndef LAUNCHPROF_C_LAUNCH_OBSERVER_H
#define LAUNCHPROF_C_LAUNCH_OBSERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lo_cold.h"
#include "lo_order.h"
#include "lo_ready.h"

// What `lo_signal_watch_begin` takes over. Everything else keeps the disposition that the launcher was started with.
//
//   caught, and told through the pipe: SIGCHLD SIGINT SIGQUIT SIGTERM SIGHUP SIGUSR1 SIGUSR2
//   ignored:                           SIGTSTP SIGTTIN SIGTTOU
//
// The dispositions of a process are one: one watch at a time; a second begin returns -EBUSY.

/// One signal as the pipe of `lo_signal_watch_begin` delivers it.
typedef struct {
  uint8_t signal;
  /// 1 when the kernel sent it (a key on the terminal, a hang-up, a child): the whole process group has it already.
  uint8_t from_kernel;
} lo_signal;

/// Starts catching signals. Returns the end of a pipe to read `lo_signal`s from (non-blocking, close-on-exec), or
/// -errno.
int lo_signal_watch_begin(void);
/// Puts the former dispositions back and closes the pipe.
void lo_signal_watch_end(void);

/// What to launch. All memory is the caller's, and is only touched during `lo_launch`.
typedef struct {
  /// Paths to try in this order, as execvp does with PATH; ends with NULL.
  char *const *candidates;
  char *const *arguments;
  char *const *environment;
  /// Where in `environment` the stamp `<pid>:<CLOCK_MONOTONIC ns>` goes: room for `LO_STAMP_SIZE` bytes, or NULL.
  char *stamp;
  /// Where in `environment` its own process id goes, in decimal: room for LO_ID_SIZE bytes each; ends with NULL, or is NULL.
  char *const *ids;
  /// What becomes its standard output and standard error; -1 to leave a stream as it is.
  int output, error;
  /// A descriptor that it inherits though that is close-on-exec; -1 for none.
  int inherited;
  /// Called in the launcher with the id of the process while that waits to execute the program; NULL for nothing.
  void (*prepare)(void *context, pid_t pid);
  void *context;
  /// For how many ns of CPU time the process busies itself between the stamp and execve: a launch that is slower by as much.
  uint64_t delay_ns;
} lo_request;

enum { LO_STAMP_SIZE = 40, LO_ID_SIZE = 12 };

typedef struct {
  pid_t pid;
  /// Readable when the program has ended; -1 where the kernel has none.
  int pidfd;
  /// CLOCK_MONOTONIC right before the execve that succeeded.
  uint64_t exec_ns;
  /// CPU time that the process had used by then: ours, not the program's.
  uint64_t cpu_ns;
  /// 0, or why nothing was launched (then there is no process).
  int error;
  /// Which candidate `error` or the launch is about; -1 for the clone itself.
  int candidate;
} lo_launched;

/// Launches a program in the launcher's own process group, with the signal mask and dispositions that the launcher
/// itself was started with.
void lo_launch(const lo_request *request, lo_launched *launched);

typedef enum { LO_RUNNING, LO_STOPPED, LO_EXITED, LO_SIGNALLED, LO_GONE } lo_state;

typedef struct {
  lo_state state;
  /// Exit status, or signal.
  int code;
  /// Of a traced process that stopped: PTRACE_EVENT_…, 0 for a signal that is about to be delivered.
  int event;
  uint64_t exit_ns;
  uint64_t user_ns, system_ns;
  uint64_t max_rss_bytes;
  uint64_t minor_faults, major_faults;
  uint64_t voluntary_switches, involuntary_switches;
  uint64_t read_bytes;
} lo_status;

/// What has become of a child, without waiting: wait4(WNOHANG|WUNTRACED). LO_GONE when there is no such child.
void lo_poll_child(pid_t pid, lo_status *status);

/// Makes orphans among the descendants children of the caller (PR_SET_CHILD_SUBREAPER). Returns 0 or errno.
int lo_set_subreaper(bool on);
/// Signals a process that cannot be mistaken for a later one with the same id. Returns 0 or errno.
int lo_signal_process(int pidfd, int signal);
/// pidfd_open(2): a descriptor, or -errno.
int lo_open_process(pid_t pid);

// MARK: perf_event_open(2)
//
// One session observes one process, its threads and (all but breakpoints) its descendants, into one ring a CPU.
// Every record ends, and every sample begins, with PERF_SAMPLE_IDENTIFIER; the clock is CLOCK_MONOTONIC.

typedef struct lo_perf_rings lo_perf_rings;
typedef struct lo_perf lo_perf;

/// What an event of a session is, by which its samples are told apart.
typedef enum {
  /// Samples {id, ip, tid, time, cpu, call chain} by the CPU clock.
  LO_PERF_SAMPLES,
  /// Samples {id, ip, tid, time, address, cpu}: major page faults; and side-band records: exec, mappings, switches, threads.
  LO_PERF_FAULTS,
  /// Samples {id, ip, tid, time, cpu}: a breakpoint was reached.
  LO_PERF_BREAKPOINT,
  /// Samples {id, tid, time, cpu, raw} of a thread that leaves its processor: the tracepoint sched:sched_switch.
  LO_PERF_SWITCH,
  /// Samples {id, tid, time, cpu, raw} of a thread that makes another one ready, one of which is ours: the tracepoint
  /// sched:sched_waking. Some come twice.
  LO_PERF_WAKING,
  /// Samples {id, tid, time, cpu, call chain, {registers, three arguments}}: a function is called. Of any process.
  LO_PERF_CALL,
  /// Samples {id, tid, time, cpu}: it returns.
  LO_PERF_RETURN,
  /// Samples {id, tid, time, cpu}: a function is called of which nobody asks more than how often.
  LO_PERF_COUNT,
} lo_perf_kind;

typedef struct {
  uint64_t id;
  lo_perf_kind kind;
  /// Of a breakpoint; of a probe its `place`.
  uint64_t address;
} lo_perf_event;

/// Makes the rings for sessions, one session at a time. A program that is launched right behind that starts in caches that
/// are full of the rings' zeros: make them once, and early. Returns 0 and the rings, or errno.
int lo_perf_rings_open(lo_perf_rings **rings);
void lo_perf_rings_close(lo_perf_rings *rings);

/// Opens a session on a process that is about to execute a program; recording begins with execve.
///
/// `sample_ns` is the period of samples in CPU time, 0 for none. `rings` must outlive the session. Returns 0 and the
/// session, or errno.
int lo_perf_open(lo_perf_rings *rings, pid_t pid, uint64_t sample_ns, lo_perf **session);
/// Asks the scheduler, too: two tracepoints by the numbers that tracefs has for them. Needs CAP_PERFMON. Who makes the first
/// thread ready is told also of interrupts and of other programs, if the kernel's own number for it is ours
/// (`is_own_number`: not in a container). Returns 0, or errno and nothing has changed.
int lo_perf_watch_scheduling(lo_perf *session, uint64_t switch_id, uint64_t waking_id, bool is_own_number);
/// Keeps the tracepoints in use as long as the rings last: the first user has the kernel change its code, and behind the last
/// one it waits for all processors, for tens of milliseconds each. Returns 0 or errno.
int lo_perf_hold_tracepoints(lo_perf_rings *rings, uint64_t switch_id, uint64_t waking_id);
/// A place in the code of a file, in whatever process that is mapped (uprobe).
typedef struct {
  const char *path;
  /// In the file, of a function's first instruction.
  uint64_t offset;
  /// Of what it tells: LO_PERF_CALL, LO_PERF_RETURN or LO_PERF_COUNT.
  lo_perf_kind kind;
  /// What the event's `address` is to be.
  uint64_t place;
  /// Calls of the thread that adds it are told, too, where the kernel knows it by its number.
  bool is_of_launcher;
} lo_probe;

/// Adds a probe for all sessions that watch probes. Needs CAP_PERFMON, and CAP_SYS_ADMIN before Linux 5.18 or so. Returns 0 or
/// errno.
int lo_perf_add_probe(lo_perf_rings *rings, const lo_probe *probe);
/// Where to set a probe to measure what it costs: a function that does nothing, and where it is.
void lo_probe_target(void);
uint64_t lo_probe_target_address(void);
/// Watches the probes from now on, also those that are added. The session's end ends it.
void lo_perf_watch_probes(lo_perf *session);
/// Stops the probes; what they told can still be drained.
void lo_perf_leave_probes(lo_perf *session);

/// Ends the recording; what was recorded can still be drained.
void lo_perf_stop(lo_perf *session);
void lo_perf_close(lo_perf *session);

/// Until the first thread executes a program: then the last descriptor is readable. When the thread ends, it hangs up. In
/// both cases call it again. Returns 0, or errno and there is no such descriptor.
int lo_perf_watch_exec(lo_perf *session);
bool lo_perf_watches_exec(const lo_perf *session);

/// Breaks in at an address of the process's first thread from now on, and of the threads that are made from now on if
/// `is_inherited` and the kernel can (Linux 5.13). Returns 0 or errno.
int lo_perf_add_breakpoint(lo_perf *session, uint64_t address, bool is_inherited);
/// Forgets the breakpoints at an address, or all for 0; their events stay known.
void lo_perf_remove_breakpoints(lo_perf *session, uint64_t address);

int lo_perf_event_count(const lo_perf *session);
lo_perf_event lo_perf_event_at(const lo_perf *session, int index);

int lo_perf_descriptor_count(const lo_perf *session);
/// To poll for POLLIN: a ring is half full, or see `lo_perf_watch_exec`.
int lo_perf_descriptor_at(const lo_perf *session, int index);

/// Hands what the rings hold to `take`, ring by ring in whole records (a ring that wraps comes in two pieces, cut at
/// any byte), and frees it.
void lo_perf_drain(lo_perf *session, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context);

/// Whether a thread has given up its CPU, without being made to, since the last call or the session's beginning; also when
/// that cannot be told. Looks at the rings' memory only.
bool lo_perf_has_waited(lo_perf *session);

/// Records that found no room, of all events and of the samples among them, as far as the kernel says.
void lo_perf_lost(const lo_perf *session, uint64_t *all, uint64_t *samples);

// MARK: ptrace(2)
//
// All calls must come from the thread that called `lo_trace_seize`.

/// Attaches to a child without stopping it, so that it stops when it executes a program, and if `tells_exit` also at its end,
/// before its memory goes. Returns 0 or errno.
int lo_trace_seize(pid_t pid, bool tells_exit);
/// Waits until the process stops by execve. False when it has ended instead; its status is left to be read.
bool lo_trace_wait_for_exec(pid_t pid);
/// Stops an attached process that runs. False when it has ended instead.
bool lo_trace_interrupt(pid_t pid);
/// Lets a stopped process go and deliver `signal` (0 for none). Returns 0 or errno.
int lo_trace_detach(pid_t pid, int signal);
/// Lets a stopped process run on, still attached. Returns 0 or errno.
int lo_trace_continue(pid_t pid, int signal);
/// After a group stop: leaves the process stopped, still attached, until somebody continues it.
int lo_trace_listen(pid_t pid);

/// The bytes of an instruction that a breakpoint has replaced.
typedef struct {
  uint64_t address;
  long original;
} lo_software_breakpoint;

/// Puts a breakpoint instruction at `address` of a stopped process. Returns 0 or errno.
int lo_trace_insert(pid_t pid, uint64_t address, lo_software_breakpoint *breakpoint);
/// Puts the instruction back. Returns 0 or errno.
int lo_trace_remove(pid_t pid, const lo_software_breakpoint *breakpoint);
/// Where a process is that stopped by SIGTRAP, if it was a breakpoint instruction of ours: its address. 0 otherwise.
uint64_t lo_trace_breakpoint_address(pid_t pid);
/// Sends a process that reached a breakpoint back to `address`. Returns 0 or errno.
int lo_trace_resume_at(pid_t pid, uint64_t address);
/// Executes one instruction. False when the process ended or a signal came between; `signal` is it then, to be passed on.
bool lo_trace_step(pid_t pid, int *signal);

/// Whether calls can be watched by breakpoint instructions on this processor: x86-64.
bool lo_trace_knows_calls(void);

/// A thread that has stopped at the first instruction of a function.
typedef struct {
  uint64_t program_counter, stack_pointer, frame_pointer;
  /// Its arguments.
  uint64_t first, second, third;
} lo_call;

/// Returns 0 or errno.
int lo_trace_get_call(pid_t thread, lo_call *call);
/// Where a stopped thread goes on, and with which stack. Returns 0 or errno.
int lo_trace_set_place(pid_t thread, uint64_t program_counter, uint64_t stack_pointer);
/// From now on a stopped process, and all threads and processes that it makes, stop when they make one, and if
/// `tells_exits` when they end. Returns 0 or errno.
int lo_trace_follow(pid_t pid, bool tells_exits);
/// The thread or process that a thread has made, which has stopped by PTRACE_EVENT_CLONE, …_FORK or …_VFORK; 0 for none.
pid_t lo_trace_made(pid_t thread);
/// Has an attached thread stop soon. Returns 0 or errno.
int lo_trace_ask_to_stop(pid_t thread);
/// What has become of an attached thread; `waits` for the next stop. False when it runs. LO_GONE when it has ended.
bool lo_poll_thread(pid_t thread, bool waits, lo_status *status);

/// Copies from the memory of a process. Returns 0 or errno.
int lo_read_memory(pid_t pid, uint64_t address, void *bytes, size_t count);
/// Overwrites memory of a stopped, attached process. Returns 0 or errno.
int lo_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t count);

/// A system call of this machine.
typedef struct {
  long number;
  const char *name;
  /// Which argument is the descriptor (the path) that it is about, from 0; -1 for none.
  int descriptor_argument, path_argument;
} lo_system_call_form;

/// One of those that a thread may wait in for long; NULL for others.
const lo_system_call_form *lo_system_call_named(long number);
/// The name of any system call of this machine; NULL for a number that none has.
const char *lo_system_call_name(long number);

/// Waits as poll(2) does, up to so many ns; for ever when negative.
int lo_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);

/// CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME in ns, read together.
void lo_read_clocks(uint64_t *monotonic, uint64_t *boottime, uint64_t *realtime);
/// CLOCK_MONOTONIC, ns.
uint64_t lo_now(void);
/// How fast the cycle counter runs, ns a tick times 2^32, measured over 2 ms; 0 when its rate is not constant.
uint64_t lo_counter_rate(void);

/// Bytes free in a file system in memory (tmpfs); 0 when the path is on another one.
uint64_t lo_memory_room(const char *path);
/// True when a program gets capabilities from its file: capabilities(7).
bool lo_has_capabilities(const char *path);

/// Makes large blocks go back to the system when they are freed; left alone, glibc learns to keep them (mallopt(3)).
void lo_return_large_blocks(void);

/// The environment that the launcher was started with; NULL at its end.
char *const *lo_environment(void);

/// Stops the caller as `signal` (SIGTSTP, SIGSTOP, …) stops who does not catch it. Returns when it is continued.
void lo_stop_by(int signal);

/// Ends the caller with `signal` as if nobody had caught it, leaving no core file. Returns if the signal does not kill.
void lo_die_of(int signal);

enum { LO_BUILD_STAMP_SIZE = 128 };

/// What scripts/release wrote into the executable: from which commit and by which toolchain it was built. Empty in a build
/// that no release was made of.
void lo_build_stamp(char text[LO_BUILD_STAMP_SIZE]);

#endif
