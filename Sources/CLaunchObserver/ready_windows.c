// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

// libxcb is loaded by dlopen: most machines that launch programs with windows have it, and others do not need it. The
// structures are those of the X protocol (X.Org, "X Window System Protocol", appendix B), as libxcb returns them.

typedef struct xcb_connection_t xcb_connection_t;
typedef struct {
  unsigned int sequence;
} xcb_cookie;
typedef struct {
  uint32_t root;
} xcb_screen;
typedef struct {
  xcb_screen *data;
  int rem, index;
} xcb_screens;
typedef struct {
  uint8_t type, detail;
  uint16_t sequence;
  union {
    struct {
      uint32_t parent, window;
      int16_t x, y;
      uint16_t width, height, border;
      uint8_t overrides;
    } created;
    struct {
      uint32_t event, window;
      uint8_t overrides;
    } mapped;
    struct {
      uint32_t event, window, parent;
    } reparented;
    uint32_t words[8];
  };
} xcb_event;
/// For intern_atom: the atom. For get_property: its format and, after 32 bytes, its value.
typedef struct {
  uint8_t type, format;
  uint16_t sequence;
  uint32_t length, word, bytes_after, value_length;
  uint8_t rest[12];
  uint32_t value[1];
} xcb_reply;

enum { X_CREATE = 16, X_MAP = 19, X_REPARENT = 21, X_CARDINAL = 6 };
enum { X_EVENT_MASK = 1 << 11, X_SUBSTRUCTURE_NOTIFY = 1 << 19 };

typedef struct {
  xcb_connection_t *(*connect)(const char *, int *);
  int (*connection_has_error)(xcb_connection_t *);
  int (*get_file_descriptor)(xcb_connection_t *);
  const void *(*get_setup)(xcb_connection_t *);
  xcb_screens (*setup_roots_iterator)(const void *);
  void (*screen_next)(xcb_screens *);
  xcb_cookie (*change_window_attributes)(xcb_connection_t *, uint32_t, uint32_t, const void *);
  xcb_event *(*poll_for_event)(xcb_connection_t *);
  xcb_cookie (*intern_atom)(xcb_connection_t *, uint8_t, uint16_t, const char *);
  xcb_reply *(*intern_atom_reply)(xcb_connection_t *, xcb_cookie, void **);
  xcb_cookie (*get_property)(xcb_connection_t *, uint8_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
  int (*flush)(xcb_connection_t *);
  int (*poll_for_reply)(xcb_connection_t *, unsigned int, void **, void **);
  void (*disconnect)(xcb_connection_t *);
} xcb_functions;

#define EACH_FUNCTION(WITH) \
  WITH(connect) \
  WITH(connection_has_error) \
  WITH(get_file_descriptor) \
  WITH(get_setup) \
  WITH(setup_roots_iterator) \
  WITH(screen_next) \
  WITH(change_window_attributes) \
  WITH(poll_for_event) \
  WITH(intern_atom) \
  WITH(intern_atom_reply) \
  WITH(get_property) \
  WITH(flush) \
  WITH(poll_for_reply) \
  WITH(disconnect)

// A fully static executable cannot load libraries, so scripts/build-command links libxcb into it. Otherwise all are
// null.
#define DECLARE(name) extern char xcb_##name[] __attribute__((weak));
EACH_FUNCTION(DECLARE)
#define LINKED(name) xcb_##name,
#define NAME(name) "xcb_" #name,
static const char *const names[] = { EACH_FUNCTION(NAME) };
_Static_assert(sizeof(xcb_functions) == sizeof names, "a name for each function");

/// A window that was created after the connection.
typedef struct {
  uint32_t window;
  /// The window manager's window around it; 0 for none.
  uint32_t frame;
  bool overrides, is_mapped;
} seen_window;

enum { MOST_WINDOWS = 256 };

struct lo_windows {
  xcb_functions x;
  xcb_connection_t *connection;
  uint32_t process_property;
  /// The latest windows, in a ring.
  seen_window windows[MOST_WINDOWS];
  size_t count;
};

static bool find_functions(xcb_functions *functions) {
  const void *const linked[] = { EACH_FUNCTION(LINKED) };
  if (linked[0] != NULL) {
    memcpy(functions, linked, sizeof linked);
    return true;
  }
  void *library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return false;
  void *found[sizeof names / sizeof names[0]];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((found[i] = dlsym(library, names[i])) == NULL) return false;
  memcpy(functions, found, sizeof found);
  return true;
}

lo_windows *lo_windows_open(const char *display, const char **reason) {
  lo_windows *windows = calloc(1, sizeof *windows);
  *reason = "there is no memory left";
  if (windows == NULL) return NULL;
  *reason = "libxcb.so.1 is missing: install it (Debian: libxcb1)";
  if (!find_functions(&windows->x)) {
    free(windows);
    return NULL;
  }
  const xcb_functions *x = &windows->x;
  windows->connection = x->connect(display, NULL);
  *reason = "the X display cannot be reached: set DISPLAY, and XAUTHORITY if it asks for one";
  if (windows->connection == NULL || x->connection_has_error(windows->connection)) {
    lo_windows_close(windows);
    return NULL;
  }
  uint32_t mask = X_SUBSTRUCTURE_NOTIFY;
  for (xcb_screens at = x->setup_roots_iterator(x->get_setup(windows->connection)); at.rem > 0; x->screen_next(&at))
    x->change_window_attributes(windows->connection, at.data->root, X_EVENT_MASK, &mask);
  // The reply also confirms that the requests before it are done.
  static const char property[] = "_NET_WM_PID";
  xcb_cookie cookie = x->intern_atom(windows->connection, 0, sizeof property - 1, property);
  xcb_reply *reply = x->intern_atom_reply(windows->connection, cookie, NULL);
  if (reply == NULL) {
    lo_windows_close(windows);
    return NULL;
  }
  windows->process_property = reply->length == 0 ? reply->word : 0;
  free(reply);
  return windows;
}

void lo_windows_close(lo_windows *windows) {
  if (windows->connection != NULL) windows->x.disconnect(windows->connection);
  free(windows);
}

int lo_windows_descriptor(const lo_windows *windows) { return windows->x.get_file_descriptor(windows->connection); }
bool lo_windows_failed(const lo_windows *windows) { return windows->x.connection_has_error(windows->connection) != 0; }

// The answer to a request; NULL for an error, or if the server does not answer within a second.
static xcb_reply *answer(lo_windows *windows, xcb_cookie cookie) {
  const xcb_functions *x = &windows->x;
  struct pollfd polled = {.fd = lo_windows_descriptor(windows), .events = POLLIN};
  uint64_t now = lo_now(), end = now + 1000000000u;
  void *reply = NULL, *error = NULL;
  x->flush(windows->connection);
  while (!x->poll_for_reply(windows->connection, cookie.sequence, &reply, &error) && now < end) {
    lo_poll(&polled, 1, (int64_t)(end - now));
    now = lo_now();
  }
  free(error);
  return reply;
}

static uint32_t process_of(lo_windows *windows, uint32_t window) {
  const xcb_functions *x = &windows->x;
  xcb_cookie cookie =
    x->get_property(windows->connection, 0, window, windows->process_property, X_CARDINAL, 0, 1);
  xcb_reply *reply = answer(windows, cookie);
  uint32_t process = reply && reply->format == 32 && reply->value_length == 1 ? reply->value[0] : 0;
  free(reply);
  return process;
}

static seen_window *find(lo_windows *windows, uint32_t window, bool by_frame) {
  size_t count = windows->count < MOST_WINDOWS ? windows->count : MOST_WINDOWS;
  for (size_t i = 0; i < count; i++) {
    seen_window *seen = &windows->windows[i];
    if ((by_frame ? seen->frame : seen->window) == window) return seen;
  }
  return NULL;
}

/// The window that `event` makes visible; NULL if none.
static const seen_window *take(lo_windows *windows, const xcb_event *event) {
  // Ignore the topmost bit: it means that another client sent the event.
  switch (event->type & 0x7f) {
  case X_CREATE:
    windows->windows[windows->count++ % MOST_WINDOWS] =
      (seen_window){.window = event->created.window, .overrides = event->created.overrides};
    return NULL;
  case X_REPARENT: {
    seen_window *inside = find(windows, event->reparented.window, false);
    if (inside == NULL || event->reparented.event == event->reparented.parent) return NULL;
    inside->frame = event->reparented.parent;
    const seen_window *frame = find(windows, inside->frame, false);
    return frame && frame->is_mapped ? inside : NULL;
  }
  case X_MAP: {
    seen_window *mapped = find(windows, event->mapped.window, false);
    if (mapped == NULL) return NULL;
    mapped->is_mapped = true;
    const seen_window *inside = find(windows, mapped->window, true);
    return inside ? inside : mapped->overrides || event->mapped.overrides ? NULL : mapped;
  }
  default: return NULL;
  }
}

bool lo_windows_next(lo_windows *windows, uint32_t *process) {
  xcb_event *event;
  while ((event = windows->x.poll_for_event(windows->connection)) != NULL) {
    const seen_window *seen = take(windows, event);
    free(event);
    if (seen == NULL) continue;
    *process = process_of(windows, seen->window);
    return true;
  }
  return false;
}
