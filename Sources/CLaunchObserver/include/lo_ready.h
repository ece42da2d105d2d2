#ifndef LAUNCHPROF_LO_READY_H
#define LAUNCHPROF_LO_READY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What tells from outside that a program is ready. Every function may be called from any thread, one object from one
// thread at a time.

/// Binds a datagram socket for `NOTIFY_SOCKET` (sd_notify(3)) to `path`; messages carry their time of arrival. Returns a
/// descriptor (non-blocking, close-on-exec) or -errno.
int lo_notify_open(const char *path);
/// Reads one message into `text`, without a zero at its end. Returns its length, or -errno. `time` is CLOCK_MONOTONIC ns
/// of its arrival. Descriptors that come with it are closed, which is what sd_notify_barrier(3) waits for.
ssize_t lo_notify_read(int descriptor, char *text, size_t size, uint64_t *time);

/// A pipe between the program's output and us, close-on-exec. Returns 0 or errno.
int lo_pipe(int *source, int *program_end);
/// The same by a terminal of the modes of `stream`, which is one, that changes nothing of what passes it.
int lo_terminal_like(int stream, int *source, int *program_end);

/// Moves up to `count` bytes from a pipe to `target` without looking at them; waits for room in `target` only. Returns how
/// many, 0 at the end, -EAGAIN when there are none for now, -EINVAL where the kernel cannot (a terminal, a file to append
/// to), or another -errno.
ssize_t lo_splice(int source, int target, size_t count);
/// How many bytes `source`, a pipe or a terminal, holds at most.
size_t lo_output_capacity(int source);

/// Where `wanted` stands first, or -1.
ssize_t lo_bytes_find(const void *bytes, size_t count, const void *wanted, size_t length);
/// Where the line begins in which the byte at `at` stands.
size_t lo_bytes_line_start(const void *bytes, size_t at);
/// Where that line ends: its line feed, or `count`.
size_t lo_bytes_line_end(const void *bytes, size_t count, size_t at);

/// A socket that listens: unix(7) by its path, else TCP by its port.
typedef struct {
  uint64_t inode;
  /// 0 for a unix socket.
  uint16_t port;
  /// Of a unix socket; an abstract name begins with '@'. Ends with a zero.
  char path[110];
} lo_listener;

/// Opens sock_diag(7). Returns a descriptor or -errno: some containers forbid it.
int lo_listeners_open(void);
/// The listening sockets of this network namespace, at most `capacity`. Returns their number, or -errno.
ssize_t lo_listeners_read(int descriptor, lo_listener *listeners, size_t capacity);

/// Something that one thread waits for and another tells: a descriptor that is readable from `lo_wake` to
/// `lo_wake_clear`, or -errno.
int lo_wake_open(void);
void lo_wake(int descriptor);
void lo_wake_clear(int descriptor);

/// Looks at the windows of an X display.
typedef struct lo_windows lo_windows;

/// A top-level window that became visible.
typedef struct {
  uint32_t window;
  /// What it says in _NET_WM_PID; 0 when it does not say.
  uint32_t process;
} lo_mapped_window;

/// Connects to the display and asks for news of its root windows. NULL with a reason in `*reason`: a static string.
lo_windows *lo_windows_open(const char *display, const char **reason);
/// Readable when there is news.
int lo_windows_descriptor(const lo_windows *windows);
/// The next window that was mapped, created since `lo_windows_open`: not menus and tooltips (override-redirect), of a
/// window manager's frame the client inside. False when there is none yet.
bool lo_windows_next(lo_windows *windows, lo_mapped_window *mapped);
/// True when the connection broke.
bool lo_windows_failed(const lo_windows *windows);
void lo_windows_close(lo_windows *windows);

#endif
