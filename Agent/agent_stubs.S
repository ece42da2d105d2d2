// SPDX-License-Identifier: Apache-2.0

// Two stubs for each library, sixteen bytes each, because the loader's calls do not say which library is meant.
//   agent_initializer_stubs: in place of a library's initialisers; adds its number as a fourth argument.
//   agent_relocation_stubs: the resolver of the relocation that was added after the library's own.
#define AGENT_STUBS 1024

  .text
  .balign 16
  .globl agent_initializer_stubs
  .hidden agent_initializer_stubs
agent_initializer_stubs:
  .set number, 0
  .rept AGENT_STUBS
  .balign 16
#if defined(__x86_64__)
  movl $number, %ecx
  jmp agent_run_initializers
#else
  hint #34
  mov w3, #number
  b agent_run_initializers
#endif
  .set number, number + 1
  .endr

  .balign 16
  .globl agent_relocation_stubs
  .hidden agent_relocation_stubs
agent_relocation_stubs:
  .set number, 0
  .rept AGENT_STUBS
  .balign 16
#if defined(__x86_64__)
  movl $number, %edi
  jmp agent_relocated
#else
  hint #34
  mov w0, #number
  b agent_relocated
#endif
  .set number, number + 1
  .endr
  .balign 16

  .section .note.GNU-stack, "", %progbits
