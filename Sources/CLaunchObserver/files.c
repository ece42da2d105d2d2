// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <linux/magic.h>
#include <stddef.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

uint64_t lo_memory_room(const char *path) {
  struct statfs facts;
  if (statfs(path, &facts) != 0 || facts.f_type != TMPFS_MAGIC) return 0;
  return (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize;
}

bool lo_has_capabilities(const char *path) { return getxattr(path, "security.capability", NULL, 0) > 0; }
