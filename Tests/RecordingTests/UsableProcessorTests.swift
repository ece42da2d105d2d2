// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// Programs that may not use all processors of the machine.
struct UsableProcessorTests {
  /// `what-if` predicted parallel work for them, and comparisons took them for launches on the whole machine.
  @Test func tasksetLimitsTheProcessors() throws {
    let launchprof = try Launchprof()
    let status = String(decoding: try contents("/proc/self/status"), as: UTF8.self)
    let allowed = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*([0-9]+)/)?.1)
    let trace = launchprof.directory.appending("one.pftrace")
    let recorded = try TestProcess.run(
      "/usr/bin/taskset", ["-c", String(allowed), Launchprof.path, "record", "-q", "-o", trace, "--", "true"])
    #expect(recorded.succeeded, "\(recorded.errorText)")
    let report = try launchprof.run(["report", "--format", "json", trace]).text
    let cpus = try #require(report.firstMatch(of: /"cpus": ?([0-9]+)/)?.1)
    #expect(cpus == "1" || report.contains(/"usableCpus": ?1\b/), "\(report.prefix(2000))")
    let record = try launchprof.run(["extract", trace]).text
    #expect(record.contains("\"cores\":1,"), "\(record)")
  }
}
