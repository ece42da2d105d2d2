// SPDX-License-Identifier: Apache-2.0

// One stub per image: the loader calls it in place of the image's initialisers. It passes its number as a fourth
// argument and jumps to lr_run_initializers(argc, argv, envp, number). Each has sixteen bytes, so that its address can
// be computed.
#if defined(__linux__)
#include "lr_stub_count.h"
#if defined(__x86_64__) || defined(__aarch64__)
  .text
  .balign 16
  .globl lr_initializer_stubs
  .hidden lr_initializer_stubs
  .type lr_initializer_stubs, %function
lr_initializer_stubs:
  .set number, 0
  .rept LR_STUBS
  .balign 16
#if defined(__x86_64__)
  movl $number, %ecx
  jmp lr_run_initializers
#else
  // An indirect call reaches this: it needs a landing pad where branch target identification is on.
  hint #34
  mov w3, #number
  b lr_run_initializers
#endif
  .set number, number + 1
  .endr
  .balign 16
  .size lr_initializer_stubs, . - lr_initializer_stubs
#endif

  .section .note.GNU-stack, "", %progbits
#endif
