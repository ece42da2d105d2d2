// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// What looks at threads tell, as the kernel would report it.
struct EstimatedThreadsTests {
  /// A thread that runs all the time.
  private func thread(_ id: Int32, _ times: Range<Int64>) -> (id: Int32, history: OtherThreads.History) {
    let looks = [times.lowerBound, times.upperBound].map {
      ProcessorTimes.Look(time: $0, running: $0 - times.lowerBound, runnable: 0, isWaiting: false)
    }
    return (id, .init(name: "thread \(id)", looks: looks))
  }

  private func events(_ threads: [(id: Int32, history: OtherThreads.History)]) -> PerfEvents {
    var launch = ObservedLaunch(processID: 5)
    launch.looks = thread(5, 0..<100).history.looks
    launch.threads = threads
    var events = PerfEvents(PerfLog())
    EstimatedThreads(launch).add(to: &events)
    return events
  }

  @Test func noTwoThreadsAreOnOneProcessorAtOnce() {
    let events = events([
      thread(6, 10..<50), thread(7, 20..<60), thread(8, 61..<90),
    ])
    let processors = Dictionary(events.switches.map { ($0.place.threadID, $0.place.processor) }) { first, _ in first }
    #expect(processors == [5: 0, 6: 1, 7: 2, 8: 1])
    #expect(events.switches.map(\.place.time) == events.switches.map(\.place.time).sorted())
  }

  @Test func namesAndEndsAreThoseOfTheThreads() {
    let events = events([thread(6, 10..<50), thread(7, 20..<60)])
    #expect(
      events.names.map { "\($0.place.threadID) of \($0.place.processID): \($0.name)" } == [
        "6 of 5: thread 6", "7 of 5: thread 7",
      ])
    // After the last look, nothing is known of a thread.
    #expect(events.threads.map { "\($0.place.threadID) \($0.place.time) \($0.isEnd)" } == ["6 50 true", "7 60 true"])
  }

  @Test func everyThreadCountsForTheTimeOfASample() {
    var launch = ObservedLaunch(processID: 5)
    launch.looks = thread(5, 0..<100).history.looks
    launch.threads = [thread(6, 0..<100)]
    let sample = PerfEvents.Sample(place: .init(time: 100, processID: 5, threadID: 6), addresses: [1])
    #expect(EstimatedThreads(launch).samplePeriod(of: [PerfEvents.Sample](repeating: sample, count: 20)) == 10)
  }

  /// The main thread is stopped at each look, the others one after another. With one period for all, it got their time.
  @Test func eachThreadHasItsOwnTimeOfASample() {
    var launch = ObservedLaunch(processID: 5)
    launch.looks = thread(5, 0..<100).history.looks
    launch.threads = [thread(6, 0..<100), thread(7, 0..<100)]
    func samples(_ thread: Int32, _ count: Int) -> [PerfEvents.Sample] {
      let sample = PerfEvents.Sample(place: .init(time: 100, processID: 5, threadID: thread), addresses: [1])
      return [PerfEvents.Sample](repeating: sample, count: count)
    }
    let all = samples(5, 50) + samples(6, 10) + samples(7, 3)
    #expect(EstimatedThreads(launch).samplePeriods(of: all) == [5: 2, 6: 10])
  }
}
