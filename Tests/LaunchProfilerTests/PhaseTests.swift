// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchProfiler
import LaunchTrace
import Testing

struct PhaseTests {
  /// Not those of an allocator, which may have kept them: each of these is a page fault.
  private func touchNewPages() {
    let size = 1 << 20
    guard let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), pages != MAP_FAILED
    else { return }
    memset(pages, 1, size)
    munmap(pages, size)
  }

  @Test func aPhaseSaysWhatItsThreadUsed() throws {
    let (_, recorded) = try Recording.record {
      LaunchProfiler.phase(LaunchPhase("costly")) {
        burnProcessorTime(nanoseconds: 3_000_000)
        touchNewPages()
      }
    }
    let phase = try recorded.slice(named: "costly")
    #expect(recorded.category(of: phase) == "launchprof.phase")
    let costs = recorded.annotations(of: phase)
    #expect(costs["source"] == .string("api"))
    guard case .uint(let cpu) = costs["cpu_ns"], case .uint(let faults) = costs["minor_faults"] else {
      Issue.record("no costs: \(costs)")
      return
    }
    #expect(cpu >= 2_000_000)
    #expect(faults >= 1)
    for key in ["major_faults", "voluntary_switches", "involuntary_switches", "read_bytes"] {
      #expect(costs[key] != nil, "\(key)")
    }
  }

  @Test func anAsyncPhaseHasATrackOfItsOwn() async throws {
    let (value, recorded) = try await Recording.record {
      await LaunchProfiler.phase(LaunchPhase("async-phase")) {
        await Task.yield()
        return 5
      }
    }
    #expect(value == 5)
    let phase = try recorded.slice(named: "async-phase")
    #expect(recorded.track(of: phase).kind == .async)
    // While it was suspended, its thread did other work, whose costs it got.
    #expect(recorded.annotations(of: phase)["cpu_ns"] == nil)
  }

  @Test func milestonesAreInstantsAndCountOnce() throws {
    let milestone = LaunchMilestone("tests-milestone")
    let (_, recorded) = try Recording.record {
      LaunchProfiler.mark(milestone)
      LaunchProfiler.mark(milestone)
    }
    #expect(recorded.instants(named: "tests-milestone").count == 2)
    let summary = try #require(LaunchProfiler.summary)
    #expect(summary.milestones.filter { $0.id == "tests-milestone" }.count == 1)
  }

  @Test func countersAndMetadata() throws {
    let (_, recorded) = try Recording.record {
      LaunchProfiler.counter("rows read", value: 41)
      LaunchProfiler.counter("rows read", value: 42)
      LaunchProfiler.counter("bytes read", value: 1.5e9, unit: .bytes)
      LaunchProfiler.metadata(version: "1.2.3", build: "test")
      LaunchProfiler.metadata("flag \"quoted\"", "line\nbreak\u{0}é")
    }
    let trace = recorded.trace
    let rows = try #require(
      trace.tracks.firstIndex { $0.kind == .counter && trace.strings[$0.name] == "rows read" })
    let values = trace.counters.track.indices.filter { trace.counters.track[$0] == Int32(rows) }
    #expect(values.map { trace.counters.value[$0] } == [41, 42])
    let metadata = recorded.instants(named: "metadata").map { recorded.annotations(ofInstant: $0) }
    #expect(metadata.contains { $0["version"] == .string("1.2.3") })
    #expect(metadata.contains { $0["build"] == .string("test") })
    #expect(metadata.contains { $0["flag \"quoted\""] == .string("line\nbreak\u{0}é") })
  }
}
