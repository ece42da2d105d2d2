// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// For metrics that never vary, one launch of each side shows a change.
final class ExactMetricTests: CommandSuite {
  /// Records each program once and compares the launches.
  private func compare(_ base: String, _ head: String, _ options: [String] = []) throws -> TestProcess {
    for (side, program) in [("base", base), ("head", head)] {
      let run = try launchprof.run(["record", "-q", "-o", "\(side).pftrace", "--", program])
      #expect(run.outcome == .exited(0), "\(program): \(run.errorText)")
    }
    return try launchprof.run(["compare", "base.pftrace", "head.pftrace"] + options)
  }

  private func program(_ body: String, _ name: String, _ flags: [String] = []) throws -> String {
    let source = "#include <dlfcn.h>\n#include <pthread.h>\n\(body)"
    return try CompiledProgram.c(source, name, flags, in: launchprof.directory)
  }

  @Test func foundationLinkedInAddition() throws {
    let source = "@main struct Main { static func main() { print(\"hello\") } }\n"
    let plain = try Compiler.swift(source, to: "plain", in: launchprof.directory, [])
    let more = try Compiler.swift(
      "import Foundation\n" + source.replacing("\"hello\"", with: "Date.distantPast.timeIntervalSince1970"),
      to: "more", in: launchprof.directory, [])
    let run = try compare(plain, more)
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("REGRESSED\n"), "\(run.text)")
    for library in ["libFoundation.so", "libFoundationEssentials.so"] { #expect(run.text.contains(library)) }
    let back = try compare(more, plain)
    #expect(back.outcome == .exited(4) && back.text.contains("gone: "), "\(back.text)")
  }

  @Test func oneLibraryLinkedInAddition() throws {
    let plain = try program("int main(void) { return 0; }\n", "plain")
    let more = try program("int main(void) { return 0; }\n", "more", ["-Wl,--no-as-needed", "-lz"])
    let run = try compare(plain, more, ["-o", "result.json"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("! libraries ") && run.text.contains("added: libz.so.1"), "\(run.text)")
    let json = String(decoding: try contents(launchprof.directory.appending("result.json")), as: UTF8.self)
    #expect(json.contains("\"decidedBy\": \"libraries\""), "\(json.prefix(2000))")
    // Two launches of one program do not differ.
    let same = try compare(more, more)
    #expect(same.outcome == .exited(0) && same.text.contains("the same: libraries "), "\(same.text)")
  }

  /// The files do not say which libraries the program opens when it runs.
  @Test func oneLibraryOpenedInAddition() throws {
    try requirePerf()
    let plain = try program("int main(void) { return 0; }\n", "plain")
    let more = try program("int main(void) { return dlopen(\"libz.so.1\", RTLD_NOW) == 0; }\n", "more", ["-ldl"])
    let run = try compare(plain, more)
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("! mapped-libraries ") && run.text.inOneLine.contains("added: libz.so."), "\(run.text)")
    #expect(run.text.contains("! opened-libraries 0 → 1"), "\(run.text)")
    #expect(try compare(more, plain).outcome == .exited(4))
    // When another thread opens a library is random, so it is not counted.
    let elsewhere = try program(
      """
      static void *open_it(void *unused) { return dlopen("libz.so.1", RTLD_NOW); }
      int main(void) { pthread_t thread; pthread_create(&thread, 0, open_it, 0); return pthread_join(thread, 0); }

      """, "elsewhere", ["-ldl", "-lpthread"])
    let thread = try compare(plain, elsewhere)
    #expect(
      !thread.text.contains("! opened-libraries") && !thread.text.contains("! mapped-libraries"), "\(thread.text)")
  }

  @Test func theGateHoldsThemToBudgetsAndAllowances() throws {
    try requirePerf()
    // Two versions of one program: a history compares launches with those of the same program only.
    for (side, body) in [("base", "return 0;"), ("head", "return dlopen(\"libz.so.1\", RTLD_NOW) == 0;")] {
      let version = try program("int main(void) { \(body) }\n", "program", ["-ldl"])
      _ = try launchprof.run(["record", "-q", "-n", "9", "-o", side + "/", "--", version])
    }
    for (text, status) in [
      ("gate:\n  budgets:\n    opened-libraries: {p50: 0}\n", 2),
      ("gate:\n  budgets:\n    opened-libraries: {p50: 1}\n", 0),
      ("gate:\n  budgets:\n    mapped-bytes: {p50: 4096}\n", 2),
      ("gate:\n  budgets:\n    mapped-libraries: {p50: 40}\n", 0),
    ] as [(String, Int32)] {
      try launchprof.directory.write(text, to: "launch-budgets.yml")
      #expect(try launchprof.run(["gate", "head"]).outcome == .exited(status), "\(text)")
    }
    for (more, isSeen) in [
      ("{opened-libraries: 0}", true), ("{opened-libraries: 1, mapped-libraries: 1, mapped-bytes: 50%}", false),
    ] {
      try launchprof.directory.write("gate:\n  more: \(more)\n", to: "launch-budgets.yml")
      let run = try launchprof.run(["gate", "--baseline", "base", "head"])
      #expect(run.text.contains("! opened-libraries 0 → 1") == isSeen, "\(more): \(run.text)\(run.errorText)")
      #expect(!isSeen || run.outcome == .exited(2))
    }
    // One launch is enough for the history, too.
    _ = try launchprof.run(["history", "add", "--commit", "aaaa", "base"])
    let kept = try launchprof.run(["gate", "--baseline", "aaaa", "--config", "/dev/null", "head"])
    #expect(
      kept.outcome == .exited(2) && kept.text.contains("! opened-libraries 0 → 1"), "\(kept.text)\(kept.errorText)")
  }
}
