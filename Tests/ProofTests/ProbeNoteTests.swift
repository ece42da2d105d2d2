// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The USDT probes that perf and bpftrace find, read back from the binaries.
struct ProbeNoteTests {
  @Test(arguments: ["dynamic", "static-stdlib", "static"])
  func everyProbeHasANote(mode: String) throws {
    let program = try BuiltProgram.linkMode(mode, "hello-profiled")
    let notes = try TestProcess.run("/usr/bin/readelf", ["--notes", "--wide", program]).text
    let probes = notes.split(separator: "\n").enumerated().compactMap { index, line -> String? in
      line.contains("Name: ") ? String(line.split(separator: " ").last ?? "") : nil
    }
    let providers = notes.split(separator: "\n").filter { $0.contains("Provider: launchprofiler") }
    #expect(Set(probes).isSuperset(of: ["interval__begin", "interval__end", "event"]), "\(notes)")
    #expect(providers.count >= 3)
    // perf would leave a constant out, and the kernel refuses places of one probe with different numbers of arguments.
    #expect(!notes.contains("@$"), "\(notes)")
  }
}
