// SPDX-License-Identifier: Apache-2.0

// The command's own process and executable.
#ifndef CLAUNCH_COMMAND_H
#define CLAUNCH_COMMAND_H

/// Makes freed large blocks go back to the system, because the tables of a large trace are short-lived. By default,
/// glibc learns to keep them (mallopt(3)).
void lc_return_large_blocks(void);

/// Called first. Gives Swift the arguments, which it would read from /proc. If /proc is not mounted, removes the variable
/// SWIFT_ROOT that the start needed, so that launched programs do not get it.
void lc_begin_without_proc(void);

enum { LC_BUILD_STAMP_SIZE = 128 };

/// What scripts/release wrote into the executable: its commit and toolchain. Empty if the build is not a release's.
void lc_build_stamp(char text[LC_BUILD_STAMP_SIZE]);

#endif
