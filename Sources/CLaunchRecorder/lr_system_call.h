// SPDX-License-Identifier: Apache-2.0

// A system call without libc, for code that runs before libc is ready, must not load a second libc, or runs while two
// processes share one errno. Also used by the observer and the agent.
#ifndef LR_SYSTEM_CALL_H
#define LR_SYSTEM_CALL_H

#if defined(__x86_64__)
/// The kernel's answer: -errno on failure. Does not touch errno.
static inline long lr_ask_system(long number, long a, long b, long c, long d, long e, long f) {
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  long answer;
  __asm__ __volatile__("syscall"
                       : "=a"(answer)
                       : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                       : "rcx", "r11", "memory");
  return answer;
}
#elif defined(__aarch64__)
static inline long lr_ask_system(long number, long a, long b, long c, long d, long e, long f) {
  register long place __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  register long sixth __asm__("x5") = f;
  __asm__ __volatile__("svc #0"
                       : "+r"(first)
                       : "r"(place), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                       : "memory");
  return first;
}
#else
#error "system calls are known for x86-64 and arm64 only"
#endif

#endif
