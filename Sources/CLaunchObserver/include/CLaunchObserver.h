#ifndef LAUNCHPROF_C_LAUNCH_OBSERVER_H
#define LAUNCHPROF_C_LAUNCH_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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
  /// What becomes its standard output and standard error; -1 to leave a stream as it is.
  int output, error;
} lo_request;

enum { LO_STAMP_SIZE = 40 };

typedef struct {
  pid_t pid;
  /// Readable when the program has ended; -1 where the kernel has none.
  int pidfd;
  /// CLOCK_MONOTONIC right before the execve that succeeded.
  uint64_t exec_ns;
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

/// CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME in ns, read together.
void lo_read_clocks(uint64_t *monotonic, uint64_t *boottime, uint64_t *realtime);
/// CLOCK_MONOTONIC, ns.
uint64_t lo_now(void);

/// Bytes free in a file system in memory (tmpfs); 0 when the path is on another one.
uint64_t lo_memory_room(const char *path);

/// Makes large blocks go back to the system when they are freed; left alone, glibc learns to keep them (mallopt(3)).
void lo_return_large_blocks(void);

/// The environment that the launcher was started with; NULL at its end.
char *const *lo_environment(void);

/// Stops the caller as `signal` (SIGTSTP, SIGSTOP, …) stops who does not catch it. Returns when it is continued.
void lo_stop_by(int signal);

/// Ends the caller with `signal` as if nobody had caught it, leaving no core file. Returns if the signal does not kill.
void lo_die_of(int signal);

#endif
