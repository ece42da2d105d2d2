#ifndef LAUNCHPROF_AGENT_SYSTEM_H
#define LAUNCHPROF_AGENT_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

// The system without libc: a second libc in the auditors' namespace would cost what the agent is to measure.

static inline long agent_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "the agent knows x86-64 and arm64"
#endif
}

static inline long agent_call3(long number, long a, long b, long c) { return agent_call(number, a, b, c, 0, 0, 0); }

/// Opens a file relative to nothing. Returns a descriptor or -errno.
static inline int agent_open(const char *path, int flags) {
  return (int)agent_call(SYS_openat, -100, (long)path, flags, 0, 0, 0);
}
static inline void agent_close(int descriptor) { agent_call3(SYS_close, descriptor, 0, 0); }

/// CLOCK_MONOTONIC, ns.
uint64_t agent_now(void);
/// Finds the vDSO's clock (vdso(7)), so that reading it is no system call; NULL for none.
void agent_find_clock(const void *vdso);

#endif
