// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_AGENT_RECORD_H
#define LAUNCHPROF_AGENT_RECORD_H

#include <stdint.h>

// What the agent writes, and the launcher reads (Sources/LaunchObserver/Linux/Agent): a file of records of 64 bytes
// each, the first of which is the header. The launcher makes it at its full size; the agent maps it.

enum { AGENT_FORMAT = 1, AGENT_RECORD_SIZE = 64 };

typedef struct {
  char magic[8];
  uint32_t format;
  uint32_t process;
  /// Number of records that were requested, with the header. It is larger than the file if some were lost.
  uint64_t count;
  /// Number of libraries that could not be timed: there were too many, or their form is unknown.
  uint64_t untimed;
  uint64_t unused[4];
} agent_header;

typedef enum {
  /// Not written yet.
  AGENT_NONE,
  /// The agent begins: the process executed a program. `values` = {}.
  AGENT_BEGIN,
  /// A library was mapped. `values` = {load bias, bytes of its path}; its path follows in AGENT_TEXT records, by number.
  AGENT_LIBRARY,
  /// Part of a path: `values` are its bytes.
  AGENT_TEXT,
  /// A library's relocations are done. `values` = {}.
  AGENT_RELOCATED,
  /// An initialiser. `values` = {function, its number or -1 for DT_INIT, end (0 while it runs)}.
  AGENT_INITIALIZER,
  /// Libraries are being added.
  AGENT_ADDING,
  /// All libraries are there.
  AGENT_CONSISTENT,
} agent_kind;

typedef struct {
  /// Written last.
  uint32_t kind;
  uint32_t thread;
  /// CLOCK_MONOTONIC, ns.
  uint64_t time;
  /// From 0, in the order of mapping; of text, of the library that it belongs to.
  uint32_t library;
  /// Of text: which part, from 0.
  uint32_t part;
  union {
    uint64_t values[5];
    char text[40];
  };
} agent_record;

_Static_assert(sizeof(agent_header) == AGENT_RECORD_SIZE, "the header is a record's size");
_Static_assert(sizeof(agent_record) == AGENT_RECORD_SIZE, "a record's size");

#endif
