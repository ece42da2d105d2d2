// SPDX-License-Identifier: Apache-2.0

// A program that becomes ready in a given way: milestones KIND [ADDRESS]. It shows this only by what it does, and
// runs until it is ended from outside.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un unix_address(const char *path, socklen_t *length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
  if (path[0] == '@') address.sun_path[0] = 0;
  return address;
}

static void fail(const char *what) {
  perror(what);
  exit(9);
}

/// Does what sd_notify(3) does, followed by the barrier of sd_notify_barrier(3).
static void notify(void) {
  const char *path = getenv("NOTIFY_SOCKET");
  if (path == NULL) fail("NOTIFY_SOCKET");
  socklen_t length;
  struct sockaddr_un address = unix_address(path, &length);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
  const char early[] = "STATUS=READY=1 comes", ready[] = "STATUS=here\nREADY=1\n";
  sendto(descriptor, early, sizeof early - 1, 0, (struct sockaddr *)&address, length);
  usleep(50000);
  if (sendto(descriptor, ready, sizeof ready - 1, 0, (struct sockaddr *)&address, length) < 0) fail("sendto");
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  char control[CMSG_SPACE(sizeof(int))], barrier[] = "BARRIER=1";
  struct iovec part = {barrier, sizeof barrier - 1};
  struct msghdr message = {&address, length, &part, 1, control, sizeof control, 0};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  if (sendmsg(descriptor, &message, 0) < 0) fail("sendmsg");
  close(ends[1]);
  char byte;
  if (read(ends[0], &byte, 1) == 0) puts("barrier passed");
}

/// Binds to the loopback of IPv6, or of IPv4 where the machine has no other: the default network of Docker has none.
static int bind_to_loopback(int port) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int descriptor = socket(AF_INET6, SOCK_STREAM, 0);
  if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&six, sizeof six) == 0) return descriptor;
  if (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT) fail("bind");
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(descriptor, (struct sockaddr *)&four, sizeof four) != 0) fail("bind");
  return descriptor;
}

static void listen_on_port(int port) {
  int descriptor = bind_to_loopback(port);
  usleep(50000);
  if (listen(descriptor, 5) != 0) fail("listen");
  // Both families have the port at the same place.
  struct sockaddr_in6 address;
  socklen_t length = sizeof address;
  getsockname(descriptor, (struct sockaddr *)&address, &length);
  printf("port %d\n", ntohs(address.sin6_port));
}

static void listen_on_path(const char *path) {
  socklen_t length;
  struct sockaddr_un address = unix_address(path, &length);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(descriptor, (struct sockaddr *)&address, length) != 0) fail("bind");
  usleep(50000);
  if (listen(descriptor, 5) != 0) fail("listen");
}

/// Forks twice, into a session of its own. When this returns, the launched process has exited successfully.
static void become_daemon(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) _exit(0);
  setsid();
  if (fork() != 0) _exit(0);
  printf("daemon %d\n", (int)getpid());
}

/// Holds SIGTERM back until the program has said all. Otherwise, on a busy machine, it could be ended for being ready before it
/// says so.
static void hold_back_the_end(int how) {
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigprocmask(how, &end, NULL);
}

int main(int argc, char **argv) {
  hold_back_the_end(SIG_BLOCK);
  const char *kind = argc > 1 ? argv[1] : "", *address = argc > 2 ? argv[2] : "0";
  if (strcmp(kind, "notify") == 0) notify();
  else if (strcmp(kind, "port") == 0) listen_on_port(atoi(address));
  else if (strcmp(kind, "path") == 0) listen_on_path(address);
  else if (strcmp(kind, "worker") == 0 && fork() == 0) listen_on_port(atoi(address));
  else if (strcmp(kind, "daemon") == 0) become_daemon(), listen_on_port(atoi(address));
  else if (strcmp(kind, "early-daemon") == 0) listen_on_port(atoi(address)), become_daemon();
  else if (strcmp(kind, "notify-daemon") == 0) become_daemon(), notify();
  fflush(stdout);
  hold_back_the_end(SIG_UNBLOCK);
  // The test ends the program. If it does not, the alarm does.
  alarm(600);
  for (;;) pause();
}
