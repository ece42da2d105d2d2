// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LaunchProfiler
import LaunchTelemetry
import LaunchTrace
import Testing

struct RecordingTests {
  @Test func startingTwiceIsRefused() throws {
    try #require(Recording.isStarted)
    let error = #expect(throws: LaunchProfilerError.self) { try LaunchProfiler.start() }
    #expect(error?.code == .alreadyStarted)
  }

  @Test func theStartOfTheProcessIsEstimatedWithABound() throws {
    try #require(Recording.isStarted)
    let summary = try #require(LaunchProfiler.summary)
    #expect(summary.processStart > 0)
    #expect(summary.processStartError > .zero)
    #expect(summary.processStartError <= .milliseconds(10))
    #expect(summary.load >= .zero)
    #expect(summary.main ?? .seconds(1) >= summary.load)
    let recorded = try RecordedTrace()
    let load = try recorded.slice(named: "load")
    #expect(recorded.trace.slices.start[load] == Int64(summary.processStart))
    #expect(recorded.track(of: load).kind == .thread)
  }

  /// Each thread's intervals nest on that thread, so one that ends first need not have begun last.
  @Test func aSummaryKeepsTheIntervalsOfThreadsApart() throws {
    let signposter = Recording.signposter
    let (_, recorded) = try Recording.record {
      let (hasBegun, mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
      signposter.withIntervalSignpost("begins first, ends first") {
        DispatchQueue.global().async(group: hasEnded) {
          signposter.withIntervalSignpost("begins last, ends last") {
            hasBegun.signal()
            mayEnd.wait()
          }
        }
        hasBegun.wait()
      }
      mayEnd.signal()
      hasEnded.wait()
    }
    let summary = try #require(LaunchProfiler.summary)
    for name in ["begins first, ends first", "begins last, ends last"] {
      let duration = Duration.nanoseconds(recorded.trace.slices.duration[try recorded.slice(named: name)])
      #expect(summary.intervals.filter { $0.name == name }.map(\.duration) == [duration])
    }
  }

  @Test func deepNestingAndLongNames() throws {
    let signposter = Recording.signposter
    let (_, recorded) = try Recording.record {
      func descend(_ depth: Int) {
        signposter.withIntervalSignpost("deep") { if depth > 1 { descend(depth - 1) } }
      }
      descend(200)
      LaunchProfiler.metadata("long", String(repeating: "é", count: 3_000))
    }
    let deep = recorded.slices(named: "deep")
    #expect(deep.count == 200)
    #expect(deep.allSatisfy { recorded.trace.slices.duration[$0] >= 0 })
    let depths = deep.map { Int(recorded.trace.slices.depth[$0]) }.sorted()
    #expect(depths == Array((depths.first ?? 0)..<((depths.first ?? 0) + 200)))
    let long = recorded.instants(named: "metadata").compactMap { recorded.annotations(ofInstant: $0)["long"] }
    #expect(long == [.string(String(repeating: "é", count: 1_024))], "cut at a character")
  }

  @Test func manyThreadsKeepTheirEventsApart() async throws {
    let signposter = Recording.signposter
    let (_, recorded) = try await Recording.record {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<32 {
          group.addTask {
            for _ in 0..<100 { signposter.withIntervalSignpost("crowd") { signposter.emitEvent("crowd event") } }
          }
        }
      }
    }
    let crowd = recorded.slices(named: "crowd")
    #expect(crowd.count == 3_200)
    #expect(crowd.allSatisfy { recorded.trace.slices.duration[$0] >= 0 })
    #expect(recorded.instants(named: "crowd event").count == 3_200)
  }

  /// Time never runs backwards on a thread, even when the cycle counter is calibrated again.
  @Test func timeStampsOfAThreadRise() throws {
    let signposter = Recording.signposter
    let (_, recorded) = try Recording.record {
      // At least some 300 ms: several calibrations.
      for _ in 0..<3_000 {
        burn(.microseconds(100))
        signposter.emitEvent("tick")
      }
    }
    let ticks = recorded.instants(named: "tick")
    #expect(ticks.count == 3_000)
    let bytes = try #require(LaunchProfiler.copyTrace())
    // The reader sorts events, so the test checks the order in the file, for each sequence.
    #expect(try PacketOrder(bytes).timeStampsRiseWithinSequences())
  }

  /// trace_processor reads the file from its beginning, and loses values of tracks that it does not know yet.
  @Test func everyThreadDescribesItsCounters() throws {
    let (_, recorded) = try Recording.record {
      let (hasRoom, isCounted, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
      // This thread has its part of the file before the thread that counts first.
      DispatchQueue.global().async(group: hasEnded) {
        Recording.signposter.emitEvent("has room")
        hasRoom.signal()
        isCounted.wait()
        for value in 1...3 { LaunchProfiler.counter("of both threads", value: Double(value), unit: .bytes) }
      }
      hasRoom.wait()
      DispatchQueue.global().async(group: hasEnded) {
        LaunchProfiler.counter("of both threads", value: 0, unit: .bytes)
        isCounted.signal()
      }
      hasEnded.wait()
    }
    let counters = recorded.trace.tracks.filter { $0.kind == .counter }
    #expect(counters.count { recorded.trace.strings[$0.name] == "of both threads" } == 1)
    let bytes = try #require(LaunchProfiler.copyTrace())
    #expect(try PacketOrder(bytes).valuesBeforeTheirTracks() == 0)
  }

  @Test func intervalsAgreeWithTheSystemsClock() throws {
    let signposter = Recording.signposter
    let clock = ContinuousClock()
    var measured = Duration.zero
    let (_, recorded) = try Recording.record {
      for _ in 0..<3 {
        measured = clock.measure { signposter.withIntervalSignpost("agrees") { burn(.milliseconds(40)) } }
      }
    }
    let last = try #require(recorded.slices(named: "agrees").last)
    let recordedDuration = Duration.nanoseconds(recorded.trace.slices.duration[last])
    // The speeds of both clocks differ a little, which counts if the thread has lost its processor for long.
    #expect(recordedDuration <= measured + measured / 2_000 + .microseconds(20))
    #expect(recordedDuration >= .milliseconds(40) - .microseconds(20))
  }
}
