// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Foundation
import TestSupport
import Testing

@testable import LaunchObserver

/// What /proc/cpuinfo says about processors, in the kernel's words for each machine.
struct HostFactsTests {
  @Test func aNamedModel() {
    let text = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7B13\nstepping\t: 0\n"
    #expect(HostFacts.processorModel(in: text) == "AMD EPYC 7B13")
  }

  /// Servers with arm64 have no name there. Two of them with different processors must not look the same.
  @Test func arm64HasNumbers() {
    func text(_ part: String) -> String {
      """
      processor\t: 0
      BogoMIPS\t: 243.75
      CPU implementer\t: 0x41
      CPU architecture: 8
      CPU variant\t: 0x3
      CPU part\t: \(part)
      CPU revision\t: 1


      """
    }
    #expect(HostFacts.processorModel(in: text("0xd0c")) == "implementer 0x41 part 0xd0c")
    #expect(HostFacts.processorModel(in: text("0xd40")) == "implementer 0x41 part 0xd40")
    // The board's name comes last.
    #expect(
      HostFacts.processorModel(in: text("0xd08") + "Model\t\t: Raspberry Pi 4 Model B Rev 1.4\n")
        == "Raspberry Pi 4 Model B Rev 1.4")
  }

  @Test func aTextWithoutAModel() {
    let texts = ["", "\n", "model name", "model name\n", "CPU implementer\t: 0x41\n", "processor\t: 0\n"]
    for text in texts { #expect(HostFacts.processorModel(in: text) == "") }
    let long = "model name\t: " + String(repeating: "x", count: 500) + "\n"
    #expect(HostFacts.processorModel(in: long) == String(repeating: "x", count: 95))
  }

  /// A machine with 8 processors and 1 GB below the control groups of `files`.
  private func limited(_ groups: String, _ files: [(path: String, text: String)]) throws -> lo_usable {
    let directory = try TemporaryDirectory()
    for (path, text) in files {
      let folder = directory.appending(path.split(separator: "/").dropLast().joined(separator: "/"))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try directory.write(text, to: path)
    }
    var text = Array(groups.utf8CString)
    return lo_limited(lo_usable(processors: 8, memory: 1_000_000_000), &text, directory.path)
  }

  /// The least limit of the group and of those above it; a part of a processor counts as one.
  @Test func aControlGroupLimitsProcessorsAndMemory() throws {
    let files = [
      ("cpu.max", "max 100000\n"), ("a/cpu.max", "150000 100000\n"), ("a/memory.max", "500000000\n"),
      ("a/b/cpu.max", "400000 100000\n"), ("a/b/memory.max", "max\n"), ("c/cpu.max", "1000 100000\n"),
    ]
    for group in ["0::/a/b\n", "0::/a\n", "1:name=systemd:/c\n0::/a/b/\n"] {
      let usable = try limited(group, files)
      #expect(usable.processors == 2 && usable.memory == 500_000_000, "\(group)")
    }
    #expect(try limited("0::/c", files).processors == 1)
    #expect(try limited("0::/\n", files).processors == 8)
  }

  /// Version 1, in a container that sees its own group as the root.
  @Test func anOlderControlGroupLimitsToo() throws {
    let files = [
      ("cpu,cpuacct/cpu.cfs_quota_us", "50000\n"), ("cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
      ("memory/memory.limit_in_bytes", "200000000\n"),
    ]
    let usable = try limited("4:cpu,cpuacct:/docker/1\n3:memory:/docker/1\n", files)
    #expect(usable.processors == 1 && usable.memory == 200_000_000)
  }

  @Test(arguments: ["", "no line", "0::", ":::\n", "0::/a\n"])
  func withoutLimitsAllIsUsable(groups: String) throws {
    let files = [("a/cpu.max", "-1 0\n"), ("cpu/cpu.cfs_quota_us", "-1\n"), ("a/memory.max", "9223372036854771712\n")]
    let usable = try limited(groups, files)
    #expect(usable.processors == 8 && usable.memory == 1_000_000_000)
  }
}
