// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport
import Testing

/// Stacks of programs and libraries that have no frame pointers.
final class StackTests: ObservingSuite {
  private var directory: TemporaryDirectory { launchprof.directory }

  /// The stacks of a program's samples, outermost first: its functions by name, others by their library.
  private func stacks(_ program: String, functions: [String], options: [String] = []) throws -> [[String]] {
    let (run, path) = try launchprof.recordAll([program], options: options)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return try NamedStacks(program, functions: functions, in: directory).samples(TraceReader().read(path: path))
  }

  private static let burn = """
    #include <stdlib.h>
    #include <time.h>
    volatile long sink;
    __attribute__((noinline)) int burn(long milliseconds) {
      struct timespec t;
      do {
        for (int i = 0; i < 100000; i++) sink += i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
      } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < milliseconds);
      return sink != 1;
    }

    """

  private static let deep =
    burn + """
      __attribute__((noinline)) int deep(int level) {
        volatile char filler[100];
        filler[0] = 1;
        int below = level == 0 ? burn(60) : deep(level - 1);
        return below + filler[0];
      }
      static int compare(const void *a, const void *b) {
        static int calls;
        return calls++ == 0 ? burn(120) : *(const int *)a - *(const int *)b;
      }
      int main(void) {
        int numbers[] = {3, 1, 2};
        if (deep(60) != 62) return 1;
        qsort(numbers, 3, sizeof *numbers, compare);
        return 0;
      }
      """

  private static let flags = ["-O2", "-fomit-frame-pointer", "-fno-optimize-sibling-calls"]

  /// Sixty calls deep, and called back by a library that sorts.
  @Test(arguments: [[], ["-static"]]) func aDeepStackIsComplete(linking: [String]) throws {
    let program = try CompiledProgram.c(Self.deep, "recursive", Self.flags + linking, in: directory)
    let functions = ["main", "deep", "compare", "burn"]
    let stacks = try stacks(program, functions: functions)
    let deep = stacks.filter { $0.last == "burn" && $0.contains("deep") }
    #expect(deep.count > 10)
    let expected: [String] = ["main"] + [String](repeating: "deep", count: 61) + ["burn"]
    let found: Set<String> = Set(deep.map { $0.suffix(expected.count).joined(separator: " ") })
    #expect(found == [expected.joined(separator: " ")])
    let sorting = stacks.filter { $0.last == "burn" && $0.contains("compare") }
    #expect(sorting.count > 10)
    for stack in sorting {
      let inner = stack.drop { $0 != "main" }
      #expect(inner.suffix(2) == ["compare", "burn"] && inner.dropLast(2).count > 1, "\(stack)")
    }
    // Without copies of the stack, that is what is missing.
    let plain = try self.stacks(program, functions: functions, options: ["--stack-bytes", "0"])
    #expect(plain.count > 20)
    #expect(!plain.contains { $0.contains("main") && $0.last == "burn" })
  }

  @Test(arguments: [("0", "no-copy"), ("512", "short-copy")])
  func theTraceSaysWhyStacksAreCut(bytes: String, cause: String) throws {
    let program = try CompiledProgram.c(Self.deep, "recursive", Self.flags, in: directory)
    let (run, path) = try launchprof.recordAll([program], options: ["--stack-bytes", bytes])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    guard case .array(let causes)? = try ObservedLaunch(launchprof, path).fact("stacks_cut_by") else {
      Issue.record("the trace does not say why")
      return
    }
    #expect(causes.first == .string(cause), "\(causes)")
  }

  /// A stack that is larger than its copy is continued by what earlier samples saw.
  @Test func aStackBeyondItsCopyIsContinued() throws {
    let source =
      Self.burn + """
        __attribute__((noinline)) int deep(int level) {
          volatile char filler[100];
          filler[0] = 1;
          if (level % 20 == 0) burn(20 + (60 - level));
          int below = level == 0 ? burn(200) : deep(level - 1);
          return below + filler[0];
        }
        int main(void) { return deep(60) != 62; }
        """
    let program = try CompiledProgram.c(source, "long", Self.flags, in: directory)
    let found = try stacks(program, functions: ["main", "deep", "burn"], options: ["--stack-bytes", "4096"])
    let deepest = found.filter { $0.count { $0 == "deep" } == 61 }
    #expect(deepest.count > 50)
    #expect(deepest.allSatisfy { $0.contains("main") })
  }

  /// The kernel's code in the program is not a file. It reads the coarse clock without a system call on every machine.
  @Test func theKernelsCodeHasANameAndCallers() throws {
    let source = """
      #include <time.h>
      __attribute__((noinline)) long spin(void) {
        struct timespec now, used;
        do {
          for (int i = 0; i < 100000; i++) clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
          clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        } while (used.tv_sec == 0 && used.tv_nsec < 100000000);
        return now.tv_nsec;
      }
      int main(void) { return spin() < 0; }
      """
    let program = try CompiledProgram.c(source, "clock", Self.flags, in: directory)
    let found = try stacks(program, functions: ["main", "spin"]).filter { $0.last == "[vdso]" }
    #expect(!found.isEmpty)
    for stack in found { #expect(stack.filter { ["main", "spin"].contains($0) } == ["main", "spin"], "\(stack)") }
    let report = try launchprof.run(["report", "--merge", "trace.pftrace"]).text
    #expect(report.contains("~clock_gettime") || report.contains("~__kernel_clock_gettime"), "\(report)")
  }

  #if arch(x86_64)
  /// A function that keeps its return address in a register has nothing on the stack. So has each leaf function on arm64.
  @Test func aFunctionWithoutAnythingOnTheStackHasACaller() throws {
    let source = """
      void in_register(long rounds);
      __asm__(".text\\n.globl in_register\\n.type in_register,@function\\nin_register:\\n.cfi_startproc\\n"
              "popq %rdx\\n.cfi_adjust_cfa_offset -8\\n.cfi_register %rip, %rdx\\n"
              "1: decq %rdi\\njnz 1b\\n"
              "pushq %rdx\\n.cfi_adjust_cfa_offset 8\\n.cfi_offset %rip, -8\\n"
              "ret\\n.cfi_endproc\\n.size in_register,.-in_register\\n");
      volatile int sink;
      __attribute__((noinline)) void middle(void) { in_register(200000000); sink++; }
      int main(void) { middle(); return 0; }
      """
    let program = try CompiledProgram.c(source, "register", Self.flags, in: directory)
    let found = try stacks(program, functions: ["main", "middle", "in_register"]).filter { $0.last == "in_register" }
    #expect(found.count > 10)
    let expected = ["main", "middle", "in_register"]
    #expect(found.allSatisfy { $0.suffix(3) == expected[...] }, "\(found.first ?? [])")
  }
  #endif

  /// Swift code that a library without frame pointers calls back.
  @Test func swiftBelowALibrary() throws {
    let source = """
      import Glibc

      nonisolated(unsafe) var sink = 0

      @_silgen_name("burnSwift") @inline(never) func burnSwift(_ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Int32 {
        var time = timespec()
        repeat {
          for number in 0..<10_000 { sink &+= number }
          clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        } while time.tv_sec == 0 && time.tv_nsec < 100_000_000
        return 0
      }

      @_silgen_name("sortNumbers") @inline(never) func sortNumbers() {
        var numbers: [Int32] = [3, 1, 2]
        qsort(&numbers, 3, 4) { burnSwift($0, $1) }
      }

      @main struct Program {
        static func main() { sortNumbers() }
      }

      """
    let program = try Compiler.swift(source, to: "sorting", in: directory, ["-Onone"])
    let found = try stacks(program, functions: ["main", "sortNumbers", "burnSwift"]).filter { $0.contains("burnSwift") }
    #expect(found.count > 20)
    for stack in found {
      let order = stack.filter { ["main", "sortNumbers", "burnSwift"].contains($0) }
      #expect(order == ["main", "sortNumbers", "burnSwift"], "\(stack)")
      #expect(stack.contains("libc.so.6"))
    }
  }

  @Test func theCopyIsBounded() throws {
    #expect(try launchprof.run(["record", "--stack-bytes", "65536", "--", "true"]).outcome == .exited(64))
    #expect(try launchprof.run(["record", "--stack-bytes", "-1", "--", "true"]).outcome == .exited(64))
  }
}
