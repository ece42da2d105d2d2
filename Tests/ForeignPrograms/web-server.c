// SPDX-License-Identifier: Apache-2.0

// A server that becomes ready in a known way: web-server ADDRESS PORT ANSWER... It waits 50 ms, listens, and gives each
// connection the next answer; the last one from then on. An answer is a status, or:
//
//   hang   keeps the connection and says nothing        drop   closes it without an answer
//   junk   says what is not HTTP                        close  says 200, without a length, and closes
//   hints  says 103, and 50 ms later 200, in pieces     stop   ends the program, before it takes a connection
//
// `wait` is no answer: it sleeps 50 ms before the next connection is taken.
//
// Prints each request's first line, and before an answer of 200 the time, CLOCK_MONOTONIC in ns: `ready T`. When the other
// side has closed that connection: `closed T`. After an answer with a length, it waits for that.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(9);
}

static void print_time(const char *what) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%s %lld\n", what, now.tv_sec * 1000000000LL + now.tv_nsec);
  fflush(stdout);
}

static int listen_at(const char *address, int port) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  bool is_six = inet_pton(AF_INET6, address, &six.sin6_addr) == 1;
  if (!is_six && inet_pton(AF_INET, address, &four.sin_addr) != 1) fail(address);
  int server = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  struct sockaddr *own = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
  if (bind(server, own, is_six ? sizeof six : sizeof four) != 0) fail("bind");
  usleep(50000);
  if (listen(server, 5) != 0) fail("listen");
  return server;
}

static void say(int connection, const char *text) { if (send(connection, text, strlen(text), 0) < 0) fail("send"); }

/// Returns false if the connection stays open.
static bool answer(int connection, const char *kind) {
  char text[256];
  if (strcmp(kind, "hang") == 0) return false;
  if (strcmp(kind, "drop") == 0) return true;
  if (strcmp(kind, "junk") == 0) return say(connection, "SSH-2.0-server\r\n"), true;
  bool has_hints = strcmp(kind, "hints") == 0, closes = strcmp(kind, "close") == 0;
  int status = has_hints || closes ? 200 : atoi(kind);
  if (has_hints) say(connection, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTT"), usleep(50000);
  if (status == 200) print_time("ready");
  snprintf(text, sizeof text, "%s1 %d Word\r\n%s\r\n", has_hints ? "P/1." : "HTTP/1.", status, closes ? "" : "Content-Length: 6\r\n");
  say(connection, text);
  if (has_hints) usleep(20000);
  say(connection, "answer");
  // A connection that was closed too early gives SIGPIPE here.
  if (closes) say(connection, "more"), usleep(20000), say(connection, "more");
  // Whoever closes first keeps the port: TIME_WAIT.
  if (!closes && recv(connection, text, sizeof text, 0) == 0 && status == 200) print_time("closed");
  return true;
}

int main(int argc, char **argv) {
  alarm(600);
  if (argc < 4) return 64;
  int server = listen_at(argv[1], atoi(argv[2]));
  for (int next = 3;; next += next + 1 < argc) {
    if (strcmp(argv[next], "stop") == 0) return 0;
    if (strcmp(argv[next], "wait") == 0) {
      usleep(50000);
      continue;
    }
    char request[4096];
    int connection = accept(server, NULL, NULL);
    ssize_t length = recv(connection, request, sizeof request - 1, 0);
    if (length < 0) fail("recv");
    request[length] = 0;
    printf("%.*s\n", (int)(strchrnul(request, '\r') - request), request);
    fflush(stdout);
    if (answer(connection, argv[next])) close(connection);
  }
}
