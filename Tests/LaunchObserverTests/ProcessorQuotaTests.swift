// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import LaunchObserver

struct ProcessorQuotaTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func throttled(_ groups: String) -> UInt64 {
    ProcessorQuota(groups: groups, root: directory.path).throttledPeriods()
  }

  private func add(_ file: String, _ periods: Int) throws {
    let text = "nr_periods 90\nnr_throttled \(periods)\nthrottled_usec 5000\n"
    try FileManager.default.createDirectory(
      atPath: directory.appending(file.dropLast("/cpu.stat".count).description), withIntermediateDirectories: true)
    try directory.write(text, to: file)
  }

  /// The quota may be that of a group above.
  @Test func everyGroupAboveCounts() throws {
    try add("system.slice/cpu.stat", 3)
    try add("system.slice/app/cpu.stat", 4)
    try add("other/cpu.stat", 100)
    #expect(throttled("0::/system.slice/app\n") == 7)
    #expect(throttled("0::/system.slice\n") == 3)
    #expect(throttled("0::/\n") == 0)
  }

  /// A container with the path of the host.
  @Test func aContainerIsTheRoot() throws {
    try add("cpu,cpuacct/cpu.stat", 5)
    #expect(throttled("9:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n0::/docker/1\n") == 5)
  }

  @Test func withoutGroupsNothingIsStopped() {
    #expect(throttled("") == 0)
    #expect(throttled("no line\n0::\n:::\n") == 0)
  }
}
