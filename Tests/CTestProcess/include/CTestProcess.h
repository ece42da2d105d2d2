#pragma once
#include <sys/types.h>

/// Starts `path` with the given standard streams, in `directory` (NULL: ours), and no other descriptor of ours.
/// Returns 0 or an errno. In C because Glibc's module hides the calls that end in _np.
int ct_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
             const int streams[3]);

/// Two descriptors that are not inherited. Returns 0 or an errno.
int ct_pipe(int ends[2]);
