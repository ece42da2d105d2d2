// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_WAYLAND_H
#define LAUNCHPROF_LO_WAYLAND_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A Wayland compositor tells nothing about the windows of other clients. So the program gets a socket of ours, and we
// pass on what it and the compositor send. Each object may be used from only one thread at a time.

/// What the requests of one client have made so far.
typedef struct lo_wayland_requests lo_wayland_requests;

/// NULL if there is no memory left. Free it with free(3).
lo_wayland_requests *lo_wayland_requests_new(void);
/// Reads the next bytes that the client sent: "Wire Format" in the Wayland book. True if they contain the request that
/// makes a window visible: the first commit of a surface that has a buffer and is a toplevel, or a panel. Cursors,
/// menus and tooltips do not count. Ignores all after the first request that no client may send.
bool lo_wayland_requests_read(lo_wayland_requests *requests, const void *bytes, size_t count);

/// Passes on what the clients of a socket and a compositor send to each other.
typedef struct lo_wayland lo_wayland;

/// Listens at `path`. Connects each client to the compositor's socket, and lets the same users connect. NULL with errno
/// in `*error`.
lo_wayland *lo_wayland_open(const char *path, const char *compositor, int *error);
/// Fills in what to wait for, at most `capacity` entries. Returns how many there are.
size_t lo_wayland_polled(const lo_wayland *relay, struct pollfd *polled, size_t capacity);
/// Passes on all that can be passed on without waiting. Returns the time at which a window became visible, if this is
/// the first one, CLOCK_MONOTONIC ns; otherwise 0.
uint64_t lo_wayland_pass_on(lo_wayland *relay);
/// How many clients have connected so far.
size_t lo_wayland_clients(const lo_wayland *relay);
/// If clients are still connected, a process of its own goes on until they have ended. wait(2) does not see it. It
/// keeps no other descriptor open.
void lo_wayland_close(lo_wayland *relay);

#endif
