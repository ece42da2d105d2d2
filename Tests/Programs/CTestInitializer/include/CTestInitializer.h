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
#ifdef __cplusplus
}
#endif

#endif
