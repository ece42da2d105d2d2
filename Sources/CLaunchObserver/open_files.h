// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_OPEN_FILES_H
#define LAUNCHPROF_OPEN_FILES_H

/// Gives the calling process the limit of open files that the launcher started with. For the child, before execve:
/// async-signal-safe.
void lo_open_files_restore_for_exec(void);

#endif
