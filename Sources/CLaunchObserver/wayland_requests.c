// SPDX-License-Identifier: Apache-2.0

#include "CLaunchObserver.h"

#include <stdlib.h>
#include <string.h>

// The numbers of requests, in the order of wayland.xml, xdg-shell.xml and wlr-layer-shell-unstable-v1.xml.
enum { DISPLAY_GET_REGISTRY = 1, REGISTRY_BIND = 0, COMPOSITOR_CREATE_SURFACE = 0 };
enum { SURFACE_DESTROY = 0, SURFACE_ATTACH = 1, SURFACE_COMMIT = 6 };
enum { SHELL_DESTROY = 0, SHELL_GET_SURFACE = 2, SHELL_SURFACE_DESTROY = 0, SHELL_SURFACE_GET_TOPLEVEL = 1 };
enum { PANELS_GET_SURFACE = 0 };

typedef enum { DISPLAY, REGISTRY, COMPOSITOR, SURFACE, SHELL, SHELL_SURFACE, PANELS } object_kind;

typedef struct {
  uint32_t id;
  object_kind kind;
  /// Of a shell's surface: the surface.
  uint32_t surface;
  /// Of a surface.
  bool has_buffer, is_window;
} object;

enum { DISPLAY_ID = 1, HEADER = 8, MOST_OBJECTS = 256 };

struct lo_wayland_requests {
  object objects[MOST_OBJECTS];
  size_t count;
  /// The beginning of the request that is being read. No request that matters is longer.
  unsigned char request[256];
  /// How many of its bytes came so far, and its length; the length is known after the header.
  size_t read, length;
  bool is_broken;
};

lo_wayland_requests *lo_wayland_requests_new(void) {
  lo_wayland_requests *requests = calloc(1, sizeof *requests);
  if (requests != NULL) requests->objects[requests->count++] = (object){.id = DISPLAY_ID, .kind = DISPLAY};
  return requests;
}

static object *find(lo_wayland_requests *requests, uint32_t id) {
  for (size_t i = 0; i < requests->count; i++)
    if (requests->objects[i].id == id) return &requests->objects[i];
  return NULL;
}

static void add(lo_wayland_requests *requests, object made) {
  // An id is used again when its object has been destroyed.
  object *place = find(requests, made.id);
  if (place == NULL && requests->count < MOST_OBJECTS) place = &requests->objects[requests->count++];
  if (place != NULL && made.id != DISPLAY_ID) *place = made;
}

static void forget(lo_wayland_requests *requests, object *gone) { *gone = requests->objects[--requests->count]; }

/// A word of the request; 0 if it is too short.
static uint32_t word(const lo_wayland_requests *requests, size_t offset) {
  uint32_t value = 0;
  if (offset + sizeof value <= requests->read && offset + sizeof value <= sizeof requests->request)
    memcpy(&value, requests->request + offset, sizeof value);
  return value;
}

/// wl_registry.bind: a number, the interface's name, its version, and the id of the new object.
static void bind(lo_wayland_requests *requests) {
  static const struct {
    const char *name;
    object_kind kind;
  } interfaces[] = {
    {"wl_compositor", COMPOSITOR}, {"xdg_wm_base", SHELL}, {"zxdg_shell_v6", SHELL}, {"zwlr_layer_shell_v1", PANELS}};
  const size_t start = HEADER + 8;
  // With the zero at its end. It is padded to whole words.
  const size_t length = word(requests, HEADER + 4);
  if (length == 0 || length > sizeof requests->request) return;
  const size_t end = start + (length + 3) / 4 * 4;
  if (end + 8 > requests->read || end + 8 > sizeof requests->request) return;
  const char *name = (const char *)requests->request + start;
  if (name[length - 1] != 0) return;
  for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
    if (strcmp(name, interfaces[i].name) == 0)
      add(requests, (object){.id = word(requests, end + 4), .kind = interfaces[i].kind});
}

static void become_window(lo_wayland_requests *requests, uint32_t surface) {
  object *window = find(requests, surface);
  if (window != NULL && window->kind == SURFACE) window->is_window = true;
}

/// Takes a whole request. True if it makes a window visible.
static bool take(lo_wayland_requests *requests) {
  object *receiver = find(requests, word(requests, 0));
  if (receiver == NULL) return false;
  const uint32_t opcode = word(requests, 4) & 0xffff;
  const uint32_t first = word(requests, HEADER), second = word(requests, HEADER + 4);
  switch (receiver->kind) {
  case DISPLAY:
    if (opcode == DISPLAY_GET_REGISTRY) add(requests, (object){.id = first, .kind = REGISTRY});
    return false;
  case REGISTRY:
    if (opcode == REGISTRY_BIND) bind(requests);
    return false;
  case COMPOSITOR:
    if (opcode == COMPOSITOR_CREATE_SURFACE) add(requests, (object){.id = first, .kind = SURFACE});
    return false;
  case SHELL:
    if (opcode == SHELL_DESTROY) forget(requests, receiver);
    if (opcode == SHELL_GET_SURFACE)
      add(requests, (object){.id = first, .kind = SHELL_SURFACE, .surface = second});
    return false;
  case SHELL_SURFACE:
    if (opcode == SHELL_SURFACE_GET_TOPLEVEL) become_window(requests, receiver->surface);
    if (opcode == SHELL_SURFACE_DESTROY) forget(requests, receiver);
    return false;
  case PANELS:
    if (opcode == PANELS_GET_SURFACE) become_window(requests, second);
    return false;
  case SURFACE:
    if (opcode == SURFACE_ATTACH) receiver->has_buffer = first != 0;
    if (opcode == SURFACE_COMMIT) return receiver->is_window && receiver->has_buffer;
    if (opcode == SURFACE_DESTROY) forget(requests, receiver);
    return false;
  }
  return false;
}

static size_t least(size_t one, size_t other) { return one < other ? one : other; }

bool lo_wayland_requests_read(lo_wayland_requests *requests, const void *bytes, size_t count) {
  bool is_window = false;
  const unsigned char *next = bytes;
  while (count > 0 && !requests->is_broken) {
    const size_t wanted = requests->read < HEADER ? HEADER : requests->length;
    const size_t part = least(wanted - requests->read, count);
    if (requests->read < sizeof requests->request)
      memcpy(requests->request + requests->read, next, least(part, sizeof requests->request - requests->read));
    requests->read += part;
    next += part;
    count -= part;
    if (requests->read < HEADER) continue;
    requests->length = word(requests, 4) >> 16;
    requests->is_broken = requests->length < HEADER;
    if (requests->read < requests->length) continue;
    if (take(requests)) is_window = true;
    requests->read = 0;
  }
  return is_window;
}
