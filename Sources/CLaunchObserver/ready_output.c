#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

int lo_pipe(int *source, int *program_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *source = ends[0];
  *program_end = ends[1];
  return 0;
}

int lo_terminal_like(int stream, int *source, int *program_end) {
  struct termios modes;
  if (tcgetattr(stream, &modes) != 0) return errno;
  int keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (keyboard < 0) return errno;
  int screen = -1;
  char name[128];
  if (grantpt(keyboard) == 0 && unlockpt(keyboard) == 0 && ptsname_r(keyboard, name, sizeof name) == 0)
    screen = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  // It changes nothing on the way: the real one makes line ends and echoes.
  modes.c_oflag &= ~(tcflag_t)OPOST;
  modes.c_lflag &= ~(tcflag_t)ECHO;
  if (screen < 0 || tcsetattr(screen, TCSANOW, &modes) != 0) {
    int error = errno;
    if (screen >= 0) close(screen);
    close(keyboard);
    return error;
  }
  *source = keyboard;
  *program_end = screen;
  return 0;
}
