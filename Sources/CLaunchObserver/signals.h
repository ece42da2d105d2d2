// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_SIGNALS_H
#define LAUNCHPROF_SIGNALS_H

#include <signal.h>

/// Restores the former disposition of every watched signal, as exec would leave it (ignored or default), and then `mask`, with the
/// signals that the watch unblocked. For the child, before execve: async-signal-safe.
void lo_signals_restore_for_exec(const sigset_t *mask);

/// Stops the caller with `signal` and its default action. Returns when the caller is continued.
void lo_stop_by(int signal);

#endif
