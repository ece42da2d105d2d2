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

// A word in .data. The loader writes to those pages anyway, while a page of constants may be needed for nothing else.
#define LR_WORD(string)                                                                                                \
  (__extension__({                                                                                                     \
    static char word[] __attribute__((section(".data.words"))) = string;                                               \
    (const char *)word;                                                                                                \
  }))
#undef LR_LITERAL
#define LR_LITERAL(string) LR_WORD(string), sizeof(string) - 1
