// SPDX-License-Identifier: Apache-2.0

// Which files processes open: fanotify(7).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include "CLaunchObserver.h"

/// Only such file systems have a page cache to remove files from. A disk's name is a path.
static bool lo_is_on_disk(const struct mntent *mount) {
  static const char *const others[] = {"overlay", "btrfs", "zfs", "nfs", "nfs4", "9p", "virtiofs"};
  if (mount->mnt_fsname[0] == '/') return true;
  for (size_t row = 0; row < sizeof others / sizeof others[0]; row++)
    if (strcmp(mount->mnt_type, others[row]) == 0) return true;
  return false;
}

int lo_opened_watch(void) {
  int watch = fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_NONBLOCK, O_RDONLY | O_CLOEXEC | O_LARGEFILE);
  if (watch < 0) return -errno;
  FILE *mounts = setmntent("/proc/self/mounts", "re");
  struct mntent mount;
  char text[4096 + PATH_MAX];
  int marked = 0;
  while (mounts && getmntent_r(mounts, &mount, text, sizeof text)) {
    if (!lo_is_on_disk(&mount)) continue;
    if (fanotify_mark(watch, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_OPEN, AT_FDCWD, mount.mnt_dir) == 0) marked++;
  }
  int error = errno;
  if (mounts) endmntent(mounts);
  if (marked > 0) return watch;
  close(watch);
  return error > 0 ? -error : -ENODEV;
}

static void lo_report_opened(const struct fanotify_event_metadata *event, lo_opened_found found, void *context) {
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", event->fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  close(event->fd);
  if (length <= 0) return;
  path[length] = 0;
  found(context, event->pid, path);
}

bool lo_opened_read(int watch, lo_opened_found found, void *context) {
  bool is_complete = true;
  for (;;) {
    // One at a time: each has a descriptor, and if there is none, the kernel tells that only of the first one.
    struct fanotify_event_metadata event;
    ssize_t length = read(watch, &event, sizeof event);
    if (length < 0 && (errno == EAGAIN || errno == EBADF || errno == EINVAL)) return is_complete;
    // A file that cannot be opened takes its event away; the others are still there.
    if (length < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) is_complete = false;
    if (length < 0) continue;
    if (!FAN_EVENT_OK(&event, length)) return is_complete;
    if (event.mask & FAN_Q_OVERFLOW) is_complete = false;
    if (event.fd >= 0) lo_report_opened(&event, found, context);
  }
}
