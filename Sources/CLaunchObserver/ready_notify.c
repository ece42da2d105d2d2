// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int lo_notify_open(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  int on = 1;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 &&
      setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0)
    return descriptor;
  int error = errno;
  close(descriptor);
  return -error;
}

/// Converts a CLOCK_REALTIME stamp, using the current difference of the two clocks.
static uint64_t monotonic(struct timespec stamp) {
  uint64_t now, boottime, realtime;
  lo_read_clocks(&now, &boottime, &realtime);
  uint64_t sent = (uint64_t)stamp.tv_sec * 1000000000u + (uint64_t)stamp.tv_nsec;
  return sent < realtime && realtime - sent < now ? now - (realtime - sent) : now;
}

static void close_all(const struct cmsghdr *header) {
  size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (size_t i = 0; i < count; i++) {
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header) + i * sizeof descriptor, sizeof descriptor);
    close(descriptor);
  }
}

ssize_t lo_notify_read(int descriptor, char *text, size_t size, uint64_t *time) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(64 * sizeof(int))];
  struct iovec part = {text, size};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t length = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC);
  if (length < 0) return -errno;
  *time = lo_now();
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_RIGHTS) close_all(header);
    if (header->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
      *time = monotonic(stamp);
    }
  }
  return length;
}
