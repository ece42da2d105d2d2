// A stub an image: the loader calls it in place of the image's initialisers. It adds its number as a fourth argument
// and goes on in lr_run_initializers(argc, argv, envp, number). Sixteen bytes each, so that its address is computed.
#if defined(__linux__)
#define LR_STUBS 512

#if defined(__x86_64__)
  .text
  .balign 16
  .globl lr_initializer_stubs
  .hidden lr_initializer_stubs
  .type lr_initializer_stubs, @function
lr_initializer_stubs:
  .set number, 0
  .rept LR_STUBS
  .balign 16
  movl $number, %ecx
  jmp lr_run_initializers
  .set number, number + 1
  .endr
  .balign 16
  .size lr_initializer_stubs, . - lr_initializer_stubs

#elif defined(__aarch64__)
  .text
  .balign 16
  .globl lr_initializer_stubs
  .hidden lr_initializer_stubs
  .type lr_initializer_stubs, %function
lr_initializer_stubs:
  .set number, 0
  .rept LR_STUBS
  .balign 16
  // Reached by an indirect call: a landing pad where branch target identification is on.
  hint #34
  mov w3, #number
  b lr_run_initializers
  .set number, number + 1
  .endr
  .balign 16
  .size lr_initializer_stubs, . - lr_initializer_stubs
#endif

  .section .note.GNU-stack, "", %progbits
#endif
