// SPDX-License-Identifier: Apache-2.0

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
}
