// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_C_TEST_INITIALIZER_H
#define LAUNCHPROF_C_TEST_INITIALIZER_H

#ifdef __cplusplus
extern "C" {
#endif
/// Keeps the CPU busy for so long.
void ti_burn(long milliseconds);
/// Goes on in a fork; the parent ends as the fork does.
void ti_fork(void);
/// Forks. The child lives until the file `end` exists, or for a minute.
void ti_fork_helper(const char *end);
#ifdef __cplusplus
}
#endif

#endif
