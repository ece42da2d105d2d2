// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// What looks at threads tell, as the kernel would report it.
struct EstimatedThreadsTests {
  /// A thread that runs all the time.
  private func thread(_ id: Int32, _ times: Range<Int64>, hasEnded: Bool) -> (id: Int32, history: OtherThreads.History)
  {
    let looks = [times.lowerBound, times.upperBound].map {
      ProcessorTimes.Look(time: $0, running: $0 - times.lowerBound, runnable: 0, isWaiting: false)
    }
    return (id, .init(name: "thread \(id)", looks: looks, endTime: hasEnded ? times.upperBound : nil))
  }

  private func events(_ threads: [(id: Int32, history: OtherThreads.History)]) -> PerfEvents {
    var launch = ObservedLaunch(processID: 5)
    launch.looks = thread(5, 0..<100, hasEnded: false).history.looks
    launch.threads = threads
    var events = PerfEvents(PerfLog())
    EstimatedThreads(launch).add(to: &events)
    return events
  }

  @Test func noTwoThreadsAreOnOneProcessorAtOnce() {
    let events = events([
      thread(6, 10..<50, hasEnded: true), thread(7, 20..<60, hasEnded: false), thread(8, 60..<90, hasEnded: true),
    ])
    let processors = Dictionary(events.switches.map { ($0.place.threadID, $0.place.processor) }) { first, _ in first }
    #expect(processors == [5: 0, 6: 1, 7: 2, 8: 1])
    #expect(events.switches.map(\.place.time) == events.switches.map(\.place.time).sorted())
  }

  @Test func namesAndEndsAreThoseOfTheThreads() {
    let events = events([thread(6, 10..<50, hasEnded: true), thread(7, 20..<60, hasEnded: false)])
    #expect(
      events.names.map { "\($0.place.threadID) of \($0.place.processID): \($0.name)" } == [
        "6 of 5: thread 6", "7 of 5: thread 7",
      ])
    #expect(events.threads.map { "\($0.place.threadID) \($0.place.time) \($0.isEnd)" } == ["6 50 true"])
  }

  @Test func everyThreadCountsForTheTimeOfASample() {
    var launch = ObservedLaunch(processID: 5)
    launch.looks = thread(5, 0..<100, hasEnded: false).history.looks
    launch.threads = [thread(6, 0..<100, hasEnded: false)]
    let sample = PerfEvents.Sample(place: .init(time: 100, processID: 5, threadID: 6), addresses: [1])
    #expect(EstimatedThreads(launch).samplePeriod(of: [PerfEvents.Sample](repeating: sample, count: 20)) == 10)
  }
}
