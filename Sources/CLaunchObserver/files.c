// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

uint64_t lo_memory_room(const char *path) {
  struct statfs facts;
  if (statfs(path, &facts) != 0 || facts.f_type != TMPFS_MAGIC) return 0;
  return (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize;
}

bool lo_is_in_memory(const char *path) {
  struct statfs facts;
  return statfs(path, &facts) == 0 && (facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC);
}

bool lo_counts_reads(const char *path) {
  static const long systems[] = {
      EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,       BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
      SQUASHFS_MAGIC,   OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC,       RAMFS_MAGIC,
  };
  struct statfs facts;
  if (statfs(path, &facts) != 0) return false;
  for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++)
    if (facts.f_type == systems[i]) return true;
  return false;
}

bool lo_has_capabilities(const char *path) { return getxattr(path, "security.capability", NULL, 0) > 0; }

// From <linux/openat2.h>, of which older systems lack parts.
#define LO_OPENAT2 437
#define LO_RESOLVE_IN_ROOT 0x10
#define LO_RESOLVE_CACHED 0x20

bool lo_is_cached_fifo(const char *directory, const char *path) {
  const struct {
    uint64_t flags, mode, resolve;
  } how = {O_PATH | O_CLOEXEC, 0, LO_RESOLVE_CACHED | (path[0] == '/' ? LO_RESOLVE_IN_ROOT : 0)};
  int folder = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  int file = (int)syscall(LO_OPENAT2, folder, path, &how, sizeof how);
  close(folder);
  if (file < 0) return false;
  struct statx facts;
  bool is_known = statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &facts) == 0;
  close(file);
  return is_known && S_ISFIFO(facts.stx_mode);
}

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
