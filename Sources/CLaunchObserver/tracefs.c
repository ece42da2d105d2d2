// SPDX-License-Identifier: Apache-2.0

#include "CLaunchObserver.h"

#include <sys/syscall.h>
#include <unistd.h>

// From <linux/mount.h>, which older C libraries' <sys/mount.h> does not go along with.
#define LO_FSCONFIG_CMD_CREATE 6
#define LO_CLOEXEC 1

int lo_open_tracefs(void) {
#if defined(SYS_fsopen) && defined(SYS_fsconfig) && defined(SYS_fsmount)
  long context = syscall(SYS_fsopen, "tracefs", LO_CLOEXEC);
  if (context < 0) return -1;
  long created = syscall(SYS_fsconfig, context, LO_FSCONFIG_CMD_CREATE, NULL, NULL, 0);
  long directory = created == 0 ? syscall(SYS_fsmount, context, LO_CLOEXEC, 0) : -1;
  close((int)context);
  return (int)directory;
#else
  return -1;
#endif
}
