// SPDX-License-Identifier: Apache-2.0

// What begins and ends the declarations of a header, for C and C++.
#ifndef LR_DECLARATIONS_H
#define LR_DECLARATIONS_H

#ifdef __cplusplus
#define LR_C_BEGIN extern "C" {
#define LR_C_END }
#else
#define LR_C_BEGIN
#define LR_C_END
#endif

/// The program does not export these functions.
#define LR_HIDDEN_BEGIN LR_C_BEGIN _Pragma("GCC visibility push(hidden)")
#define LR_HIDDEN_END _Pragma("GCC visibility pop") LR_C_END

#endif
