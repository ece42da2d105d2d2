// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_AGENT_RECORDER_H
#define LAUNCHPROF_AGENT_RECORDER_H

#include <stdbool.h>

/// Whether the program's file has the notes of a recorder's probes. True also if the file cannot be read or does not tell:
/// then nobody times the initialisers, instead of two.
bool agent_program_has_recorder(void);

#endif
