// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_spool_bounds.h"
#include "lr_spool_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/// Prefix of a record that counts once its process is gone. Until then that process holds a lock on the file. The process's
/// `lr_spool_owner` follows, and then the name of the record.
#define LR_PROVISIONAL ".open-"
#define LR_NEW ".new"
#define LR_LOCK ".lock"

/// A descriptor that stays open, and which file it is: the program may close descriptors that it does not know
/// (closefrom(3)), and the number then means another file.
typedef struct lr_kept_descriptor {
  int number;
  dev_t device;
  ino_t file;
} lr_kept_descriptor;

/// The provisional record of this process.
static struct {
  pthread_mutex_t lock;
  lr_kept_descriptor directory, file;
  /// The launch has its record, or is one of those that are not kept.
  bool is_settled;
  char name[sizeof LR_PROVISIONAL + LR_SPOOL_OWNER_TEXT + LR_NAME_LENGTH];
} lr_own = {.lock = PTHREAD_MUTEX_INITIALIZER, .directory = {.number = -1}, .file = {.number = -1}};

static lr_kept_descriptor lr_keep(int number) {
  struct stat facts;
  if (number < 0 || fstat(number, &facts) != 0) return (lr_kept_descriptor){.number = -1};
  return (lr_kept_descriptor){number, facts.st_dev, facts.st_ino};
}

static bool lr_is_still(const lr_kept_descriptor *kept) {
  struct stat facts;
  return kept->number >= 0 && fstat(kept->number, &facts) == 0 && facts.st_dev == kept->device && facts.st_ino == kept->file;
}

static void lr_close_kept(lr_kept_descriptor *kept) {
  if (lr_is_still(kept)) close(kept->number);
  kept->number = -1;
}

// MARK: The directory, locked

typedef struct lr_open_spool {
  int directory, lock;
} lr_open_spool;

static int lr_lock_file(int file) {
  while (flock(file, LOCK_EX) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

/// One thread at a time uses spools. `file` is the descriptor whose lock it waits for or has; -1 for none.
static struct {
  pthread_mutex_t turn;
  int file;
} lr_use = {.turn = PTHREAD_MUTEX_INITIALIZER, .file = -1};

/// A fork has the descriptor, too, and flock(2) counts both as one holder: the spool would stay locked until the fork ends.
static void lr_fork_lets_go(void) {
  if (lr_use.file >= 0) close(lr_use.file);
  lr_use.file = -1;
  // Perhaps locked, by a thread that the fork does not have.
  pthread_mutex_init(&lr_use.turn, NULL);
  pthread_mutex_init(&lr_own.lock, NULL);
  // The provisional record is the parent's.
  lr_close_kept(&lr_own.directory);
  lr_close_kept(&lr_own.file);
  lr_own.name[0] = 0;
  lr_own.is_settled = false;
}

static void lr_handle_forks(void) { pthread_atfork(NULL, NULL, lr_fork_lets_go); }

void lr_spool_prepare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, lr_handle_forks);
}

/// Releases the lock last: who gets it then knows that this use has closed all its descriptors.
static void lr_close_spool(lr_open_spool *open_spool) {
  if (open_spool->directory >= 0) close(open_spool->directory);
  if (open_spool->lock >= 0) {
    // Closing is not enough if a fork has the descriptor, which a bare system call has made.
    flock(open_spool->lock, LOCK_UN);
    lr_use.file = -1;
    close(open_spool->lock);
  }
  pthread_mutex_unlock(&lr_use.turn);
}

/// Opens a file with a number above those of the standard streams. In a program that has closed these, what it prints would
/// go into the file. Returns -1, and sets errno, on failure.
static int lr_open_above(int directory, const char *name, int flags) {
  int file = openat(directory, name, flags | O_CLOEXEC, 0600);
  if (file < 0 || file > STDERR_FILENO) return file;
  int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
  close(file);
  errno = error;
  return above;
}

/// Opens the directory if it can hold the record, and creates it if needed. One process at a time has it open.
static int lr_open_spool_for(const lr_spool *spool, const lr_spool_record *record, lr_open_spool *opened) {
  if (record->length >= spool->most_bytes || spool->most_files == 0) return LR_RECORD_IS_TOO_LARGE;
  if (strlen(record->id) != 32) return EINVAL;
  *opened = (lr_open_spool){-1, -1};
  if (mkdir(spool->directory, 0700) != 0 && errno != EEXIST) return errno;
  lr_spool_prepare();
  pthread_mutex_lock(&lr_use.turn);
  int error = 0;
  opened->directory = lr_open_above(AT_FDCWD, spool->directory, O_RDONLY | O_DIRECTORY);
  if (opened->directory < 0) error = errno;
  if (error == 0) {
    lr_use.file = opened->lock = lr_open_above(opened->directory, LR_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW);
    error = opened->lock < 0 ? errno : lr_lock_file(opened->lock);
  }
  if (error) lr_close_spool(opened);
  return error;
}

// MARK: Records of processes that are gone

/// The name that a provisional record has once it counts, and the process that left it. NULL if the file is another one.
static const char *lr_record_name(const char *provisional, lr_spool_owner *owner) {
  size_t prefix = strlen(LR_PROVISIONAL);
  if (strncmp(provisional, LR_PROVISIONAL, prefix) != 0) return NULL;
  const char *name = lr_owner_read(provisional + prefix, owner);
  return lr_spool_is_record(name) ? name : NULL;
}

/// True if no process holds the lock of the record.
static bool lr_is_unlocked(int directory, const char *provisional) {
  // A pipe of that name must not hold the program up.
  int file = openat(directory, provisional, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  bool is_unlocked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
  if (file >= 0) close(file);
  return is_unlocked;
}

/// True if the process that left the record has ended. A fork of it holds its lock, too, so the lock decides only if
/// nothing else is known.
static bool lr_is_left(int directory, const char *provisional, const lr_spool_owner *owner, const lr_spool_owner *self) {
  lr_owner_state state = lr_owner_state_get(owner, self);
  return state == LR_OWNER_IS_GONE || (state == LR_OWNER_IS_UNKNOWN && lr_is_unlocked(directory, provisional));
}

/// Not this process's own: the program may have closed the file that was locked. Such a program lives without the lock,
/// and so does one that has executed another, or itself. What this process left before that does not count: the
/// launch goes on.
static void lr_adopt_all(int directory) {
  char own[sizeof lr_own.name];
  pthread_mutex_lock(&lr_own.lock);
  memcpy(own, lr_own.name, sizeof own);
  pthread_mutex_unlock(&lr_own.lock);
  DIR *entries = lr_spool_entries(directory);
  if (entries == NULL) return;
  lr_spool_owner self = lr_spool_owner_get();
  for (const struct dirent *entry; (entry = readdir(entries));) {
    lr_spool_owner owner;
    const char *name = lr_record_name(entry->d_name, &owner);
    if (name == NULL || strcmp(entry->d_name, own) == 0) continue;
    if (lr_is_same_owner(&owner, &self)) unlinkat(directory, entry->d_name, 0);
    // The record becomes an ordinary one.
    else if (lr_is_left(directory, entry->d_name, &owner, &self)) renameat(directory, entry->d_name, directory, name);
  }
  closedir(entries);
}

// MARK: Records

static void lr_name_record(char *name, const lr_spool_record *record) {
  snprintf(name, LR_NAME_LENGTH + 1, "%013llu-%.32s.json", (unsigned long long)record->milliseconds % 10000000000000,
           record->id);
}

static int lr_write_all(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

/// Writes the whole file under another name, then gives it its own. It stays open, and locked, if `kept` asks for that.
/// Does not wait for the disk, which other programs need during a launch (D145).
static int lr_write_record(int directory, const char *name, const lr_spool_record *record, int *kept) {
  int file = lr_open_above(directory, LR_NEW, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (file < 0) return errno;
  int error = lr_write_all(file, record->line, record->length);
  if (error == 0) error = lr_write_all(file, "\n", 1);
  if (error == 0 && kept) error = lr_lock_file(file);
  if (error == 0 && renameat(directory, LR_NEW, directory, name) != 0) error = errno;
  if (error) unlinkat(directory, LR_NEW, 0);
  if (error || kept == NULL) close(file);
  else *kept = file;
  return error;
}

/// `directory` is used if the one that was kept is gone; or -1. `record` is the name of the launch's record, empty if it has
/// none. Another process may have adopted the provisional one, if the program closed the file that was locked.
static void lr_remove_provisional(int directory, const char *record) {
  lr_metadata_listen(NULL, NULL);
  pthread_mutex_lock(&lr_own.lock);
  lr_spool_owner owner;
  const char *adopted = lr_record_name(lr_own.name, &owner);
  if (lr_is_still(&lr_own.directory)) directory = lr_own.directory.number;
  bool is_gone = directory >= 0 && adopted && unlinkat(directory, lr_own.name, 0) != 0;
  if (is_gone && strcmp(adopted, record) != 0) unlinkat(directory, adopted, 0);
  lr_close_kept(&lr_own.directory);
  lr_close_kept(&lr_own.file);
  lr_own.is_settled = true;
  pthread_mutex_unlock(&lr_own.lock);
}

void lr_spool_remove_provisional(void) { lr_remove_provisional(-1, ""); }

int lr_spool_add(const lr_spool *spool, const lr_spool_record *record) {
  lr_open_spool opened;
  int error = lr_open_spool_for(spool, record, &opened);
  int directory = error ? -1 : opened.directory;
  char name[LR_NAME_LENGTH + 1] = "";
  if (error == 0) {
    lr_adopt_all(directory);
    lr_name_record(name, record);
    error = lr_write_record(directory, name, record, NULL);
  }
  // A launch that is complete did not fail, even if its record cannot be kept.
  if (error == 0 || !record->is_incomplete) lr_remove_provisional(directory, error ? "" : name);
  if (directory < 0) return error;
  if (error == 0) error = lr_spool_keep_bounds(spool, directory, name);
  lr_close_spool(&opened);
  return error;
}

int lr_spool_add_provisional(const lr_spool *spool, const lr_spool_record *record) {
  lr_open_spool opened;
  int error = lr_open_spool_for(spool, record, &opened);
  if (error) return error;
  pthread_mutex_lock(&lr_own.lock);
  bool is_first = lr_own.file.number < 0, is_settled = lr_own.is_settled;
  if (is_first && !is_settled) {
    lr_spool_owner self = lr_spool_owner_get();
    char *name = lr_own.name + strlen(LR_PROVISIONAL);
    memcpy(lr_own.name, LR_PROVISIONAL, sizeof LR_PROVISIONAL);
    lr_name_record(name + lr_owner_write(name, &self), record);
    int file = -1;
    error = lr_write_record(opened.directory, lr_own.name, record, &file);
    lr_own.file = lr_keep(file);
    if (error == 0) lr_own.directory = lr_keep(fcntl(opened.directory, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  } else if (!is_settled && lr_is_still(&lr_own.file)) {
    // The new file is locked before it has the name, and the old one until then: the name never is that of a file which
    // another process may adopt. If the program has closed the old one, this may have happened already.
    int file = -1;
    error = lr_write_record(opened.directory, lr_own.name, record, &file);
    if (error == 0) {
      lr_close_kept(&lr_own.file);
      lr_own.file = lr_keep(file);
    }
  }
  pthread_mutex_unlock(&lr_own.lock);
  if (is_first) {
    // Here too: a service that dies at every launch never adds a complete record.
    lr_adopt_all(opened.directory);
    if (error == 0) error = lr_spool_keep_bounds(spool, opened.directory, "");
  }
  lr_close_spool(&opened);
  return error;
}

uint64_t lr_spool_dropped(const char *directory) {
  int opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return 0;
  uint64_t dropped = lr_spool_read_dropped(opened);
  close(opened);
  return dropped;
}
#endif
