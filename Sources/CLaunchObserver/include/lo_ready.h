// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_READY_H
#define LAUNCHPROF_LO_READY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Means to see from outside that a program is ready. Every function may be called from any thread, but each object from
// only one thread at a time.

/// Binds a datagram socket for `NOTIFY_SOCKET` (sd_notify(3)) to `path`. Messages carry their time of arrival. Returns
/// a descriptor (non-blocking, close-on-exec) or -errno.
int lo_notify_open(const char *path);
/// Reads one message into `text`, without a zero at its end. Returns its length, or -errno. `time` is its arrival,
/// CLOCK_MONOTONIC ns. Descriptors that come with it are closed, which sd_notify_barrier(3) waits for.
ssize_t lo_notify_read(int descriptor, char *text, size_t size, uint64_t *time);

/// Makes a pipe between the program's output and us, close-on-exec. Returns 0 or errno.
int lo_pipe(int *source, int *program_end);
/// As lo_pipe, with a terminal that has the modes of the terminal `stream` and changes no bytes that pass it.
int lo_terminal_like(int stream, int *source, int *program_end);

/// Closes a descriptor without waiting for the kernel, for one whose last close(2) takes long: that of inotify(7) with a
/// watch takes 7 to 20 ms (D244). A child that has no other descriptor and no signal at its end closes it last.
void lo_close_aside(int descriptor);
/// Whether a process is such a child. It is one until a later `lo_close_aside` reaps it.
bool lo_closes_aside(pid_t process);

/// Moves up to `count` bytes from a pipe to `target` without copying them to this process. Waits only for room in
/// `target`. Returns the number of bytes, 0 at the end, or -errno. -EAGAIN: no bytes for now. -EINVAL: the kernel
/// cannot move them (a terminal, or a file opened for appending).
ssize_t lo_splice(int source, int target, size_t count);
/// The capacity of `source`, a pipe or a terminal, in bytes.
size_t lo_output_capacity(int source);

/// The index of the first `wanted`, or -1.
ssize_t lo_bytes_find(const void *bytes, size_t count, const void *wanted, size_t length);
/// The start of the line that contains the byte at `at`.
size_t lo_bytes_line_start(const void *bytes, size_t at);
/// The end of that line: its line feed, or `count`.
size_t lo_bytes_line_end(const void *bytes, size_t count, size_t at);

/// A listening socket: a unix(7) path, otherwise a TCP port.
typedef struct {
  uint64_t inode;
  /// 0 for a unix socket.
  uint16_t port;
  /// Bytes of `address`: 4 or 16, 0 for a unix socket.
  uint8_t address_size;
  /// As in a packet.
  uint8_t address[16];
  /// For a unix socket. An abstract name begins with '@'. Ends with a zero.
  char path[110];
} lo_listener;

/// Opens sock_diag(7). Returns a descriptor or -errno: some containers forbid it.
int lo_listeners_open(void);
/// The listening sockets of this network namespace, at most `capacity`. Returns their number, or -errno.
ssize_t lo_listeners_read(int descriptor, lo_listener *listeners, size_t capacity);

/// Lets one thread wake another: a descriptor that is readable from `lo_wake` to `lo_wake_clear`, or -errno.
int lo_wake_open(void);
void lo_wake(int descriptor);
void lo_wake_clear(int descriptor);

/// Watches the windows of an X display.
typedef struct lo_windows lo_windows;

/// Connects to the display and asks for events of its root windows. NULL with a reason in `*reason`, a static string.
lo_windows *lo_windows_open(const char *display, const char **reason);
/// Readable when there are events.
int lo_windows_descriptor(const lo_windows *windows);
/// The process of the next window that was mapped, if the window was created since `lo_windows_open`: its _NET_WM_PID; 0
/// if it has none. Menus and tooltips (override-redirect) do not count. A window manager's frame counts as the client
/// window inside. False if there is none yet.
bool lo_windows_next(lo_windows *windows, uint32_t *process);
/// True if the connection broke.
bool lo_windows_failed(const lo_windows *windows);
void lo_windows_close(lo_windows *windows);

#endif
