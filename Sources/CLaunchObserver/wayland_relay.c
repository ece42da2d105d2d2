// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/// The most descriptors that one message carries: SCM_MAX_FD of unix(7).
enum { MOST_DESCRIPTORS = 253, CHUNK = 16 * 1024 };
/// How many chunks of one direction are passed on before others get a turn.
enum { TURN = 64 };

/// What was read in one direction, and is not yet written. Descriptors go along with the first byte.
typedef struct {
  size_t begin, end;
  size_t descriptor_count;
  int descriptors[MOST_DESCRIPTORS];
  unsigned char bytes[CHUNK];
} stream;

typedef struct {
  int client, compositor;
  stream to_compositor, to_client;
  lo_wayland_requests *requests;
} connection;

struct lo_wayland {
  struct sockaddr_un compositor;
  int listener;
  /// Given up to accept a client, and to close its connection, when no descriptor is left.
  int spare;
  connection **connections;
  size_t count, capacity, clients;
  bool is_window_seen;
};

static bool set_path(struct sockaddr_un *address, const char *path) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address->sun_path) return false;
  strcpy(address->sun_path, path);
  return true;
}

/// A socket that those may connect to who may connect to the compositor's.
static int listen_as(const struct sockaddr_un *address, const char *compositor) {
  struct stat original;
  if (stat(compositor, &original) != 0) return -errno;
  if (!S_ISSOCK(original.st_mode)) return -ENOTSOCK;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -errno;
  if (bind(listener, (const struct sockaddr *)address, sizeof *address) == 0 &&
      chmod(address->sun_path, original.st_mode & 0777) == 0 &&
      (geteuid() != 0 || chown(address->sun_path, original.st_uid, original.st_gid) == 0) &&
      listen(listener, SOMAXCONN) == 0)
    return listener;
  int error = errno;
  close(listener);
  return -error;
}

lo_wayland *lo_wayland_open(const char *path, const char *compositor, int *error) {
  lo_wayland *relay = calloc(1, sizeof *relay);
  struct sockaddr_un address;
  *error = ENOMEM;
  if (relay == NULL) return NULL;
  *error = ENAMETOOLONG;
  if (set_path(&relay->compositor, compositor) && set_path(&address, path)) {
    relay->listener = listen_as(&address, compositor);
    *error = relay->listener < 0 ? -relay->listener : 0;
  }
  if (*error == 0) {
    relay->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return relay;
  }
  free(relay);
  return NULL;
}

// MARK: Connections

static void close_descriptors(stream *stream) {
  for (size_t i = 0; i < stream->descriptor_count; i++) close(stream->descriptors[i]);
  stream->descriptor_count = 0;
}

static void close_connection(connection *gone) {
  if (gone->client >= 0) close(gone->client);
  if (gone->compositor >= 0) close(gone->compositor);
  close_descriptors(&gone->to_compositor);
  close_descriptors(&gone->to_client);
}

static void free_connection(connection *gone) {
  close_connection(gone);
  free(gone->requests);
  free(gone);
}

static bool has_room(lo_wayland *relay) {
  if (relay->count < relay->capacity) return true;
  size_t capacity = relay->capacity * 2 + 4;
  connection **grown = realloc(relay->connections, capacity * sizeof *grown);
  if (grown == NULL) return false;
  relay->connections = grown;
  relay->capacity = capacity;
  return true;
}

/// Connects a client to the compositor. Where that fails, the client sees its connection closed, as by a compositor.
static void add_client(lo_wayland *relay, int client) {
  relay->clients++;
  connection *made = has_room(relay) ? calloc(1, sizeof *made) : NULL;
  if (made == NULL) {
    close(client);
    return;
  }
  made->client = client;
  made->compositor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  made->requests = relay->is_window_seen ? NULL : lo_wayland_requests_new();
  if (made->compositor >= 0 &&
      connect(made->compositor, (struct sockaddr *)&relay->compositor, sizeof relay->compositor) == 0)
    relay->connections[relay->count++] = made;
  else
    free_connection(made);
}

static void accept_clients(lo_wayland *relay) {
  while (relay->listener >= 0) {
    int client = accept4(relay->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client >= 0) {
      add_client(relay, client);
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if ((errno != EMFILE && errno != ENFILE) || relay->spare < 0) return;
    // The listener would stay readable for ever.
    close(relay->spare);
    int refused = accept(relay->listener, NULL, NULL);
    if (refused >= 0) close(refused);
    relay->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    // accept(2) wants a descriptor before it looks whether a client waits.
    if (refused < 0) return;
  }
}

// MARK: Passing on

typedef enum { WAITS, MOVED, ENDED } progress;
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
} control;

static progress receive(stream *stream, int source) {
  control control;
  struct iovec part = {stream->bytes, sizeof stream->bytes};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count = recvmsg(source, &message, MSG_CMSG_CLOEXEC);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? WAITS : ENDED;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    // One message has one set of them.
    stream->descriptor_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(stream->descriptors, CMSG_DATA(header), stream->descriptor_count * sizeof(int));
  }
  stream->begin = 0;
  stream->end = (size_t)count;
  // Without all its descriptors, a message means something else. They are missing if this process can open no more.
  return count == 0 || message.msg_flags & MSG_CTRUNC ? ENDED : MOVED;
}

static progress send_on(stream *stream, int target) {
  control control;
  struct iovec part = {stream->bytes + stream->begin, stream->end - stream->begin};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  const size_t size = stream->descriptor_count * sizeof(int);
  if (size > 0) {
    memset(&control, 0, sizeof control);
    control.header = (struct cmsghdr){CMSG_LEN(size), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), stream->descriptors, size);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
  }
  ssize_t count = sendmsg(target, &message, MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? WAITS : ENDED;
  close_descriptors(stream);
  stream->begin += (size_t)count;
  return MOVED;
}

static bool is_empty(const stream *stream) { return stream->begin == stream->end; }

/// Passes on one direction until it has to wait.
///
/// - requests: reads what passes, unless it is NULL.
/// - window: becomes the time at which a window became visible.
static progress pass_on(stream *stream, int source, int target, lo_wayland_requests *requests, uint64_t *window) {
  for (int i = 0; i < TURN; i++) {
    if (is_empty(stream)) {
      progress received = receive(stream, source);
      if (received != MOVED) return received;
      uint64_t time = lo_now();
      if (requests && lo_wayland_requests_read(requests, stream->bytes, stream->end) && *window == 0) *window = time;
    }
    progress sent = send_on(stream, target);
    if (sent != MOVED) return sent;
  }
  return MOVED;
}

/// False if one side has ended.
static bool pass_on_both(connection *open, uint64_t *window) {
  // The compositor's last message says why it closes the connection, so the client must get it in any case.
  progress one = pass_on(&open->to_compositor, open->client, open->compositor, open->requests, window);
  progress other = pass_on(&open->to_client, open->compositor, open->client, NULL, NULL);
  return one != ENDED && other != ENDED;
}

/// Passes on all connections. `release` gets those that have ended.
static uint64_t pass_on_all(lo_wayland *relay, void (*release)(connection *)) {
  uint64_t window = 0;
  for (size_t i = relay->count; i-- > 0;) {
    if (pass_on_both(relay->connections[i], &window)) continue;
    release(relay->connections[i]);
    relay->connections[i] = relay->connections[--relay->count];
  }
  return window;
}

uint64_t lo_wayland_pass_on(lo_wayland *relay) {
  accept_clients(relay);
  uint64_t window = pass_on_all(relay, free_connection);
  if (window == 0) return 0;
  // From now on, requests are not read.
  relay->is_window_seen = true;
  for (size_t i = 0; i < relay->count; i++) {
    free(relay->connections[i]->requests);
    relay->connections[i]->requests = NULL;
  }
  return window;
}

size_t lo_wayland_clients(const lo_wayland *relay) { return relay->clients; }

/// What to wait for at one end: bytes, if all from there were passed on, and room, if there are bytes for it.
static struct pollfd end_of(int descriptor, const stream *from, const stream *to) {
  short events = (short)((is_empty(from) ? POLLIN : 0) | (is_empty(to) ? 0 : POLLOUT));
  // Without events, poll(2) would still report the other side's end.
  return (struct pollfd){.fd = events ? descriptor : -1, .events = events};
}

size_t lo_wayland_polled(const lo_wayland *relay, struct pollfd *polled, size_t capacity) {
  const size_t count = 1 + 2 * relay->count;
  if (capacity < count) return count;
  *polled++ = (struct pollfd){.fd = relay->listener, .events = POLLIN};
  for (size_t i = 0; i < relay->count; i++) {
    const connection *open = relay->connections[i];
    *polled++ = end_of(open->client, &open->to_compositor, &open->to_client);
    *polled++ = end_of(open->compositor, &open->to_client, &open->to_compositor);
  }
  return count;
}

// MARK: Going on

/// The lowest descriptor above `after` that a connection uses; INT_MAX for none.
static int next_used(const lo_wayland *relay, int after) {
  int next = INT_MAX;
  for (size_t i = 0; i < relay->count; i++) {
    const connection *open = relay->connections[i];
    if (open->client > after && open->client < next) next = open->client;
    if (open->compositor > after && open->compositor < next) next = open->compositor;
    const stream *both[] = {&open->to_compositor, &open->to_client};
    for (size_t way = 0; way < 2; way++)
      for (size_t j = 0; j < both[way]->descriptor_count; j++)
        if (both[way]->descriptors[j] > after && both[way]->descriptors[j] < next) next = both[way]->descriptors[j];
  }
  return next;
}

/// Linux has close_range(2) since 5.9, and a container may refuse it. The launcher has far fewer descriptors than this loop closes.
static void close_all(int first, int last) {
  if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
  for (int descriptor = first; descriptor <= last && descriptor < 1 << 16; descriptor++) close(descriptor);
}

/// Goes on until all connections have ended. Runs in a copy of a process with threads, so it must not use memory
/// management.
static _Noreturn void go_on(lo_wayland *relay, struct pollfd *polled, size_t capacity) {
  setsid();
  // A reader of the launcher's output waits until no process has it open.
  for (int kept = -1; kept < INT_MAX;) {
    int next = next_used(relay, kept);
    close_all(kept + 1, next - 1);
    kept = next;
  }
  relay->listener = -1;
  while (relay->count > 0) {
    size_t count = lo_wayland_polled(relay, polled, capacity);
    lo_poll(polled, count, -1);
    pass_on_all(relay, close_connection);
  }
  _exit(0);
}

void lo_wayland_close(lo_wayland *relay) {
  close(relay->listener);
  if (relay->spare >= 0) close(relay->spare);
  const size_t capacity = 1 + 2 * relay->count;
  struct pollfd *polled = relay->count > 0 ? malloc(capacity * sizeof *polled) : NULL;
  if (polled != NULL) {
    // No signal handler of the launcher may run in the copy. Without a signal at its end, wait(2) does not see it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (syscall(SYS_clone, 0, NULL, NULL, NULL, NULL) == 0) go_on(relay, polled, capacity);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  free(polled);
  for (size_t i = 0; i < relay->count; i++) free_connection(relay->connections[i]);
  free(relay->connections);
  free(relay);
}
