#ifndef LAUNCHPROF_SIGNALS_H
#define LAUNCHPROF_SIGNALS_H

/// Gives every watched signal its former disposition, as exec would leave it (ignored or default). For the child,
/// before execve: async-signal-safe.
void lo_signals_restore_for_exec(void);

#endif
