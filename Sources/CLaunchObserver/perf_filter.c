// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "perf.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
  /// Which calls the BPF program passes on.
  PASS = 1,
  REFUSE = 0,
};

static int call_bpf(enum bpf_cmd command, union bpf_attr *attr) {
  return (int)syscall(SYS_bpf, command, attr, sizeof *attr);
}

static int make_map(void) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_type = BPF_MAP_TYPE_ARRAY;
  attr.key_size = attr.value_size = sizeof(uint32_t);
  attr.max_entries = 1;
  attr.map_flags = BPF_F_MMAPABLE;
  return call_bpf(BPF_MAP_CREATE, &attr);
}

#define OPERATION(operation, destination, source, jump, value) \
  (struct bpf_insn) { .code = operation, .dst_reg = destination, .src_reg = source, .off = jump, .imm = value }
// 64 bits take two.
#define LOAD(destination, source, low, high) \
  OPERATION(BPF_LD | BPF_DW | BPF_IMM, destination, source, 0, (int32_t)(low)), OPERATION(0, 0, 0, 0, (int32_t)(high))

// The kernel runs it for each call of a probed function. A process's id is that in our own namespace, as the launcher knows it.
static int load_program(int map, const struct stat *namespace) {
  // The kernel's own form of a device number: include/linux/kdev_t.h.
  uint64_t device = (uint64_t)major(namespace->st_dev) << 20 | minor(namespace->st_dev);
  uint64_t inode = namespace->st_ino;
  const struct bpf_insn code[] = {
    // Everybody is wanted: 0.
    LOAD(BPF_REG_6, BPF_PSEUDO_MAP_VALUE, map, 0),
    OPERATION(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_7, BPF_REG_6, 0, 0),
    OPERATION(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_7, 0, 11, 0),
    // struct bpf_pidns_info {pid, tgid} on the stack; not 0 for a process of another namespace.
    LOAD(BPF_REG_1, 0, device, device >> 32),
    LOAD(BPF_REG_2, 0, inode, inode >> 32),
    OPERATION(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_10, 0, 0),
    OPERATION(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, -8),
    OPERATION(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_4, 0, 0, 8),
    OPERATION(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_ns_current_pid_tgid),
    OPERATION(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 4, 0),
    OPERATION(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_1, BPF_REG_10, -4, 0),
    OPERATION(BPF_JMP | BPF_JNE | BPF_X, BPF_REG_1, BPF_REG_7, 2, 0),
    OPERATION(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, PASS),
    OPERATION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
    OPERATION(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, REFUSE),
    OPERATION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
  };
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.prog_type = BPF_PROG_TYPE_KPROBE;
  attr.insns = (uint64_t)(uintptr_t)code;
  attr.insn_cnt = sizeof code / sizeof code[0];
  attr.license = (uint64_t)(uintptr_t) "Apache-2.0";
  return call_bpf(BPF_PROG_LOAD, &attr);
}

void lo_perf_filter_open(lo_perf_filter *filter) {
  if (filter->wanted != NULL) return;
  struct stat namespace;
  int map = stat("/proc/self/ns/pid", &namespace) == 0 ? make_map() : -1;
  if (map < 0) return;
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
  if (memory != MAP_FAILED) {
    filter->program = load_program(map, &namespace);
    if (filter->program >= 0) filter->wanted = memory;
    else munmap(memory, size);
  }
  close(map);
}

void lo_perf_filter_close(lo_perf_filter *filter) {
  if (filter->wanted == NULL) return;
  munmap(filter->wanted, (size_t)sysconf(_SC_PAGESIZE));
  close(filter->program);
  *filter = (lo_perf_filter){.program = -1};
}

void lo_perf_filter_apply(const lo_perf_filter *filter, int descriptor) {
  if (filter->wanted != NULL) ioctl(descriptor, PERF_EVENT_IOC_SET_BPF, filter->program);
}

void lo_perf_filter_want(const lo_perf_filter *filter, pid_t process) {
  if (filter->wanted != NULL) __atomic_store_n(filter->wanted, (uint32_t)process, __ATOMIC_RELEASE);
}
