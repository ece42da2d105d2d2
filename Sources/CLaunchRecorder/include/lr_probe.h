// SPDX-License-Identifier: Apache-2.0

// Static tracing probes (USDT) in the layout of SystemTap's <sys/sdt.h>, version 3. A probe is a nop and an ELF note
// that names it, so that perf, bpftrace and SystemTap find it. It costs one nop when nothing is attached. Layout:
// https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation
#ifndef LR_PROBE_H
#define LR_PROBE_H

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define LR_PROBE_NOTE(probe, arguments)                                        \
  "990: nop\n"                                                                 \
  ".pushsection .note.stapsdt,\"?\",\"note\"\n"                                \
  ".balign 4\n"                                                                \
  ".4byte 992f-991f, 994f-993f, 3\n"                                           \
  "991: .asciz \"stapsdt\"\n"                                                  \
  "992: .balign 4\n"                                                           \
  "993: .8byte 990b\n"                                                         \
  ".8byte _.stapsdt.base\n"                                                    \
  ".8byte 0\n"                                                                 \
  ".asciz \"launchprofiler\"\n"                                                \
  ".asciz \"" probe "\"\n"                                                     \
  ".asciz \"" arguments "\"\n"                                                 \
  "994: .balign 4\n"                                                           \
  ".popsection\n"                                                              \
  ".ifndef _.stapsdt.base\n"                                                   \
  ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"      \
  ".weak _.stapsdt.base\n"                                                     \
  ".hidden _.stapsdt.base\n"                                                   \
  "_.stapsdt.base: .space 1\n"                                                 \
  ".size _.stapsdt.base, 1\n"                                                  \
  ".popsection\n"                                                              \
  ".endif\n"

// Each argument is in a register, also a constant. perf leaves constants out, and the kernel refuses a probe whose places
// have different numbers of arguments.
#define LR_PROBE1(probe, a) __asm__ __volatile__(LR_PROBE_NOTE(probe, "8@%0") : : "r"((uint64_t)(a)))
#define LR_PROBE3(probe, a, b, c)                                              \
  __asm__ __volatile__(LR_PROBE_NOTE(probe, "8@%0 8@%1 8@%2")                  \
                       :                                                       \
                       : "r"((uint64_t)(a)), "r"((uint64_t)(b)), "r"((uint64_t)(c)))
#else
#define LR_PROBE1(probe, a) ((void)(a))
#define LR_PROBE3(probe, a, b, c) ((void)(a), (void)(b), (void)(c))
#endif

#endif
