// SPDX-License-Identifier: Apache-2.0

#include "agent_system.h"

#include <elf.h>
#include <link.h>
#include <time.h>

typedef int (*clock_function)(clockid_t, struct timespec *);
static clock_function clock_of_vdso;

uint64_t agent_now(void) {
  struct timespec now = {0, 0};
  if (clock_of_vdso == NULL || clock_of_vdso(CLOCK_MONOTONIC, &now) != 0)
    agent_call3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int is_same(const char *left, const char *right) {
  while (*left != 0 && *left == *right) left++, right++;
  return *left == *right;
}

void agent_find_clock(const void *vdso) {
#if defined(__x86_64__)
  static const char name[] = "__vdso_clock_gettime";
#else
  static const char name[] = "__kernel_clock_gettime";
#endif
  if (vdso == NULL) return;
  const ElfW(Ehdr) *header = vdso;
  const ElfW(Phdr) *parts = (const void *)((const char *)vdso + header->e_phoff);
  uintptr_t bias = 0;
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < header->e_phnum; i++) {
    if (parts[i].p_type == PT_LOAD && bias == 0) bias = (uintptr_t)vdso + parts[i].p_offset - parts[i].p_vaddr;
    if (parts[i].p_type == PT_DYNAMIC) dynamic = (const void *)((const char *)vdso + parts[i].p_offset);
  }
  const char *strings = NULL;
  const ElfW(Sym) *symbols = NULL;
  const uint32_t *hash = NULL;
  for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_STRTAB) strings = (const void *)(bias + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) symbols = (const void *)(bias + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_HASH) hash = (const void *)(bias + dynamic->d_un.d_ptr);
  }
  if (strings == NULL || symbols == NULL || hash == NULL) return;
  for (uint32_t i = 0; i < hash[1]; i++)
    if (symbols[i].st_shndx != SHN_UNDEF && is_same(strings + symbols[i].st_name, name))
      clock_of_vdso = (clock_function)(bias + symbols[i].st_value);
}

// The compiler may replace similar loops by calls of these. The barrier keeps it from doing so inside them.
#define BARRIER() __asm__ volatile("" ::: "memory")

void *memcpy(void *to, const void *from, size_t size) {
  char *at = to;
  for (const char *byte = from; size > 0; size--) {
    *at++ = *byte++;
    BARRIER();
  }
  return to;
}

void *memset(void *to, int value, size_t size) {
  for (char *at = to; size > 0; size--) {
    *at++ = (char)value;
    BARRIER();
  }
  return to;
}
