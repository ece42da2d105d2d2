// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_trace_file.h"
#include "lr_packet.h"
#include "lr_recorder.h"
#include "lr_reserve.h"
#include "lr_trace_name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "lr_start_code.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/// The size mapped at first (D266).
#define LR_FIRST_MAPPED LR_CHUNK
#define LR_PAGE 4096u

static struct {
  uint8_t *base;
  size_t size;
  /// Bytes of the file that are mapped at `base`.
  size_t mapped;
  /// Everything before it is in chunks.
  size_t carved;
  /// Up to here the file's blocks are reserved and its pages mapped.
  size_t reserved;
  /// Up to here a launcher has filled the file, so that its pages are in memory.
  size_t prepared;
  /// Identifies the file.
  dev_t device;
  ino_t number;
  /// Empty while the file has no name, NULL if no name was asked for.
  char *path;
  /// Saves a page: the path that a launcher prepares is short.
  char short_path[112];
} lr_file;

static void lr_publish(uint8_t *at, uint64_t head) {
  __atomic_store_n((uint64_t *)(void *)at, head, __ATOMIC_RELEASE);
}

// MARK: Creating

static int lr_open_new(const char *path) {
  if (lr_file.path == NULL) lr_file.path = lr_zeroed(PATH_MAX);
  if (lr_file.path) return lr_trace_name_open(path, lr_file.path);
  errno = ENOMEM;
  return -1;
}

/// Opens the file again; -1 if there is none by its name. No descriptor is kept: the program may close descriptors that
/// it does not know, and the number could then mean another file.
static int lr_open_again(void) {
  const char *path = lr_trace_file_path();
  int descriptor = path ? lr_open_file(path, O_RDWR | O_NOFOLLOW, 0) : -1;
  struct stat found;
  if (descriptor < 0) return -1;
  bool is_ours = lr_file_status(descriptor, &found) == 0 && found.st_dev == lr_file.device && found.st_ino == lr_file.number;
  if (is_ours) return descriptor;
  close(descriptor);
  return -1;
}

/// Writes zeros, which also allocates the blocks.
static int lr_write_zeros(int descriptor, size_t from, size_t length) {
  static const uint8_t zeros[LR_PAGE];
  for (size_t at = from; at < from + length; at += sizeof zeros)
    if (pwrite(descriptor, zeros, sizeof zeros, (off_t)at) != (ssize_t)sizeof zeros) return errno ? errno : ENOSPC;
  return 0;
}

static int lr_allocate(size_t from, size_t length) {
  int descriptor = lr_open_again(), error;
  // The file is in memory, or its name is gone: nothing else can be checked.
  if (descriptor < 0) return 0;
  do error = fallocate(descriptor, 1 /* FALLOC_FL_KEEP_SIZE */, (off_t)from, (off_t)length) == 0 ? 0 : errno;
  while (error == EINTR);
  // NFS before 4.2, FUSE. Nothing is in these pages yet.
  if (error == EOPNOTSUPP) error = lr_write_zeros(descriptor, from, length);
  close(descriptor);
  return error;
}

/// Reads a byte of each page that the launcher has filled. On a memory file system, a read maps the page and those around
/// it in memory (fault-around), and they can then be written to. A write would map its own page only.
static void lr_map_prepared_pages(size_t end) {
  for (size_t at = lr_file.reserved; at < end; at += LR_PAGE) (void)*(const volatile uint8_t *)(lr_file.base + at);
  lr_file.reserved = end;
}

/// Makes sure that the file's blocks up to `end` are allocated and mapped, so that later stores cannot fail.
///
/// MADV_POPULATE_WRITE (Linux 5.14) allocates them and reports what would be a SIGBUS, madvise(2). Older kernels:
/// fallocate(2), or zeros that are written.
static int lr_reserve(size_t end) {
  if (end > lr_file.mapped) end = lr_file.mapped;
  end = (end + LR_PAGE - 1) & ~(size_t)(LR_PAGE - 1);
  if (lr_file.reserved < lr_file.prepared) lr_map_prepared_pages(end < lr_file.prepared ? end : lr_file.prepared);
  if (end <= lr_file.reserved) return 0;
  size_t from = lr_file.reserved, length = end - from;
  int error = lr_advise(lr_file.base + from, length, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  if (error == EINVAL) error = lr_allocate(from, length);
  if (error == 0) lr_file.reserved = end;
  // A full disk appears as a store that would fault.
  return error == EFAULT ? ENOSPC : error;
}

/// Maps the beginning of the file, `most` bytes.
static int lr_map_beginning(int descriptor, size_t most) {
  struct stat file;
  if (lr_file_status(descriptor, &file) != 0) return errno;
  bool has_size = file.st_size >= LR_SMALLEST_LIMIT && file.st_size <= LR_LARGEST_LIMIT && file.st_size % LR_CHUNK == 0;
  if (!has_size) return EINVAL;
  size_t size = (size_t)file.st_size, mapped = size < most ? size : most;
  void *base = lr_map_pages(mapped, MAP_SHARED, descriptor);
  if (base == MAP_FAILED) return errno;
  lr_file.device = file.st_dev;
  lr_file.number = file.st_ino;
  lr_file.base = base;
  lr_file.size = size;
  lr_file.mapped = mapped;
  return 0;
}

/// Maps the first `size` bytes of the file again. Returns NULL on failure.
///
/// For shared memory, mremap(2) with an old size of zero makes another mapping. Where it fails (qemu, valgrind), the file
/// is opened again.
static uint8_t *lr_map_again(size_t size) {
  void *base = (void *)lr_system(SYS_mremap, (long)lr_file.base, 0, (long)size, MREMAP_MAYMOVE, 0, 0);
  int descriptor = base == MAP_FAILED ? lr_open_again() : -1;
  if (descriptor >= 0) {
    base = lr_map_pages(size, MAP_SHARED, descriptor);
    close(descriptor);
  }
  return base == MAP_FAILED ? NULL : base;
}

/// Maps the whole file; only a part of it if the address space has no room (`ulimit -v`). What is mapped already is mapped
/// a second time, because writers use the first mapping.
static bool lr_map_more(void) {
  for (size_t size = lr_file.size; size > lr_file.mapped; size = size / 4 & ~(size_t)(LR_CHUNK - 1)) {
    uint8_t *base = lr_map_again(size);
    if (base == NULL) continue;
    lr_file.base = base;
    lr_file.mapped = size;
    return true;
  }
  return false;
}

static size_t lr_size(uint64_t limit) {
  if (limit == 0) limit = LR_DEFAULT_LIMIT;
  if (limit < LR_SMALLEST_LIMIT) limit = LR_SMALLEST_LIMIT;
  if (limit > LR_LARGEST_LIMIT) limit = LR_LARGEST_LIMIT;
  return (size_t)(limit / LR_CHUNK * LR_CHUNK);
}

static int lr_make_filler(void) {
  int error = lr_reserve(LR_CHUNK);
  if (error == 0) lr_publish(lr_file.base, lr_file_filler(lr_file.size));
  return error;
}

static int lr_prepare_file(int descriptor, uint64_t limit) {
  size_t size = lr_size(limit);
  // The shell's `ulimit -f`: the kernel would kill the writer of a larger file with SIGXFSZ.
  struct rlimit allowed;
  if (getrlimit(RLIMIT_FSIZE, &allowed) == 0 && allowed.rlim_cur < size) size = (size_t)(allowed.rlim_cur / LR_CHUNK * LR_CHUNK);
  if (size < LR_SMALLEST_LIMIT) return LR_FILES_ARE_TOO_SMALL;
  if (ftruncate(descriptor, (off_t)size) != 0) return errno;
  int error = lr_map_beginning(descriptor, LR_FIRST_MAPPED);
  if (error) return error;
  // Otherwise, the first page fault reads ahead, from a file that has no content yet: up to 2 ms. mremap(2) keeps this.
  lr_advise(lr_file.base, lr_file.mapped, MADV_RANDOM);
  return lr_make_filler();
}

/// Memory that forks share, as they share a file. It is mapped whole: without a name, nothing could map more of it.
static int lr_prepare_memory(uint64_t limit) {
  size_t size = lr_size(limit);
  void *base = lr_map_pages(size, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (base == MAP_FAILED) return errno;
  lr_file.base = base;
  lr_file.size = lr_file.mapped = size;
  return lr_make_filler();
}

static void lr_leave(void) {
  if (lr_file.base) munmap(lr_file.base, lr_file.mapped);
  if (lr_file.path) lr_file.path[0] = 0;
  lr_file.base = NULL;
  lr_file.carved = lr_file.reserved = lr_file.prepared = 0;
}

int lr_trace_file_create(const char *path, uint64_t limit) {
  // A file that could not be given its name is still mapped.
  if (lr_file.base) return EBUSY;
  int descriptor = path ? lr_open_new(path) : -1;
  int error = path == NULL ? lr_prepare_memory(limit) : descriptor < 0 ? errno : lr_prepare_file(descriptor, limit);
  if (error && descriptor >= 0 && lr_trace_file_path()) unlink(lr_file.path);
  if (descriptor >= 0) close(descriptor);
  if (error) lr_leave();
  return error;
}

/// Finds out how much of the file the launcher has filled. False if the file was written to before, by an image that
/// this process ran earlier.
static bool lr_see_prepared(void) {
  const uint64_t *words = (const uint64_t *)(const void *)lr_file.base;
  if (words[0] != lr_file_filler(lr_file.size)) return false;
  // Launchers of older versions fill one chunk and do not say so.
  size_t filled = words[1] > LR_CHUNK ? (size_t)words[1] : LR_CHUNK;
  lr_file.prepared = (filled < lr_file.size ? filled : lr_file.size) & ~(size_t)(LR_PAGE - 1);
  return true;
}

/// Maps the prepared file. Any other file is left as it was.
static bool lr_map_prepared(int descriptor) {
  if (descriptor < 0 || lr_map_beginning(descriptor, LR_FIRST_MAPPED) != 0) return false;
  if (lr_see_prepared()) return true;
  lr_leave();
  return false;
}

bool lr_trace_file_adopt(const char *path, int inherited) {
  size_t length = lr_length(path, PATH_MAX);
  if (lr_file.base || length == PATH_MAX) return false;
  int descriptor = inherited;
  bool is_ready = lr_map_prepared(inherited);
  if (!is_ready) {
    descriptor = lr_open_file(path, O_RDWR | O_NOFOLLOW, 0);
    is_ready = lr_map_prepared(descriptor);
  }
  if (descriptor >= 0) lr_system(SYS_close, descriptor, 0, 0, 0, 0, 0);
  if (!is_ready) return false;
  lr_file.path = length < sizeof lr_file.short_path ? lr_file.short_path : lr_zeroed(PATH_MAX);
  if (lr_file.path) memcpy(lr_file.path, path, length + 1);
  else lr_leave();
  return lr_file.base != NULL;
}

void lr_trace_file_delete(void) {
  if (lr_trace_file_path() == NULL) return;
  unlink(lr_file.path);
  lr_file.path[0] = 0;
}

int lr_trace_file_give_name(const char *path) {
  int error = lr_trace_name_give(lr_file.path, path);
  if (error) lr_trace_file_delete();
  return error;
}

const char *lr_trace_file_path(void) { return lr_file.path && lr_file.path[0] ? lr_file.path : NULL; }

// MARK: Chunks

/// Makes the reserve for milestones in the bytes before `end`; returns where it begins. Its page is in memory when the launch
/// begins, so it has room also when the disk is full. Each place is a filler of its own: threads need no lock.
static uint8_t *lr_make_reserve(uint8_t *end) {
  uint8_t *start = end - LR_PLACES * LR_PLACE;
  for (uint8_t *place = start; place < end; place += LR_PLACE) lr_publish(place, lr_chunk_filler(LR_PLACE));
  __atomic_store_n(&lr_reserve_start, start, __ATOMIC_RELEASE);
  return start;
}

/// Cuts the next chunk off the filler that covers the rest of the file. The file is valid before and after each store.
///
/// A chunk ends eight bytes before a page does. The filler of the rest begins in those eight bytes, on a page that is
/// needed anyway. The first chunk ends with the reserve, on a page that is in memory when the launch begins.
bool lr_trace_file_carve(lr_chunk *chunk, size_t populate) {
  bool is_first = lr_file.carved == 0;
  size_t at = lr_file.carved, next = at + LR_CHUNK - (is_first ? 8 : 0);
  if (next + 8 > lr_file.size) return false;
  if (next + 8 > lr_file.mapped && !lr_map_more()) return false;
  if (next + 8 > lr_file.reserved && lr_reserve(next + 8 + populate) != 0 && lr_reserve(next + 8) != 0) return false;
  uint8_t *start = lr_file.base + at;
  lr_publish(lr_file.base + next, lr_file_filler(lr_file.size - next));
  uint8_t *end = lr_file.base + next;
  if (is_first) end = lr_make_reserve(end);
  lr_publish(start, lr_chunk_filler((size_t)(end - start)));
  lr_file.carved = next;
  *chunk = (lr_chunk){start, end};
  return true;
}

const uint8_t *lr_trace_file_base(void) { return lr_file.base; }
size_t lr_trace_file_carved(void) { return lr_file.carved; }
bool lr_trace_file_is_prepared(size_t ahead) { return lr_file.carved + ahead <= lr_file.prepared; }

void lr_trace_file_cut(void) {
  if (lr_file.base == NULL) return;
  int descriptor = lr_open_again();
  if (descriptor >= 0 && ftruncate(descriptor, (off_t)lr_file.carved) == 0) lr_file.size = lr_file.carved;
  if (descriptor >= 0) close(descriptor);
}
#endif
