// SPDX-License-Identifier: Apache-2.0

// Included last by the files whose functions run at the start of a program. The linker puts these functions together. A
// page fault maps the 64 KiB around it, so code in one place costs fewer faults.
#if defined(__clang__) && defined(__ELF__)
#if defined(LR_ALWAYS_RUNS)
// Also in a program that is not recorded. Beside the code of initialisers, which the program executes anyway.
#pragma clang section text = ".text.startup"
#else
#pragma clang section text = ".text.hot"
#endif
#endif
