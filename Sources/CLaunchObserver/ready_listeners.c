// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// sock_diag(7) walks the listening sockets only; /proc/net/tcp walks every connection of the machine.

/// TCP_LISTEN of <netinet/tcp.h>, which unix sockets use too.
#define LO_LISTENING (1u << 10)

typedef struct {
  lo_listener *listeners;
  size_t count, capacity;
} found;

int lo_listeners_open(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (descriptor < 0) return -errno;
  // An answer that never comes must not hold up the launch.
  struct timeval patience = {.tv_sec = 0, .tv_usec = 200000};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return descriptor;
}

static void add_unix(found *found, const struct nlmsghdr *header) {
  const struct unix_diag_msg *socket = NLMSG_DATA(header);
  lo_listener *listener = &found->listeners[found->count++];
  *listener = (lo_listener){.inode = socket->udiag_ino};
  int left = (int)header->nlmsg_len - (int)NLMSG_LENGTH(sizeof *socket);
  for (struct rtattr *part = (struct rtattr *)(socket + 1); RTA_OK(part, left); part = RTA_NEXT(part, left)) {
    if (part->rta_type != UNIX_DIAG_NAME) continue;
    size_t length = RTA_PAYLOAD(part);
    if (length > sizeof listener->path - 1) length = sizeof listener->path - 1;
    memcpy(listener->path, RTA_DATA(part), length);
    if (length > 0 && listener->path[0] == 0) listener->path[0] = '@';
  }
}

static void add_tcp(found *found, const struct nlmsghdr *header) {
  const struct inet_diag_msg *socket = NLMSG_DATA(header);
  lo_listener *listener = &found->listeners[found->count++];
  *listener = (lo_listener){.inode = socket->idiag_inode, .port = ntohs(socket->id.idiag_sport)};
  listener->address_size = socket->idiag_family == AF_INET ? 4 : 16;
  memcpy(listener->address, socket->id.idiag_src, listener->address_size);
}

static int read_answer(int descriptor, int family, found *found) {
  _Alignas(struct nlmsghdr) char buffer[16384];
  for (;;) {
    ssize_t length = recv(descriptor, buffer, sizeof buffer, 0);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return -errno;
    unsigned int left = (unsigned int)length;
    for (struct nlmsghdr *header = (struct nlmsghdr *)buffer; NLMSG_OK(header, left);
         header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE) return 0;
      if (header->nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(header);
        return error->error < 0 ? error->error : 0;
      }
      if (found->count == found->capacity) continue;
      if (family == AF_UNIX) add_unix(found, header);
      else add_tcp(found, header);
    }
  }
}

static int dump(int descriptor, int family, found *found) {
  struct {
    struct nlmsghdr header;
    union {
      struct inet_diag_req_v2 inet;
      struct unix_diag_req unix_;
    } body;
  } request;
  memset(&request, 0, sizeof request);
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  if (family == AF_UNIX) {
    request.body.unix_.sdiag_family = AF_UNIX;
    request.body.unix_.udiag_states = LO_LISTENING;
    request.body.unix_.udiag_show = UDIAG_SHOW_NAME;
    request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.body.unix_);
  } else {
    request.body.inet.sdiag_family = (uint8_t)family;
    request.body.inet.sdiag_protocol = IPPROTO_TCP;
    request.body.inet.idiag_states = LO_LISTENING;
    request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.body.inet);
  }
  if (send(descriptor, &request, request.header.nlmsg_len, 0) < 0) return -errno;
  return read_answer(descriptor, family, found);
}

ssize_t lo_listeners_read(int descriptor, lo_listener *listeners, size_t capacity) {
  static const int families[] = {AF_INET, AF_INET6, AF_UNIX};
  found found = {listeners, 0, capacity};
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    int error = dump(descriptor, families[i], &found);
    // A kernel without IPv6 has no such sockets. If sock_diag lacks TCP, the sockets must be read in another way.
    if (error < 0 && families[i] != AF_INET6) return error;
  }
  return (ssize_t)found.count;
}
