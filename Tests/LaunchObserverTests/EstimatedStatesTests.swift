// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchObserver

/// The states of a thread, from how long it had run at some instants.
struct EstimatedStatesTests {
  typealias State = EstimatedStates.State

  private func stretches(_ looks: [(time: Int64, running: Int64, runnable: Int64, isWaiting: Bool)]) -> [String] {
    EstimatedStates(
      looks.map {
        ProcessorTimes.Look(time: $0.time, running: $0.running, runnable: $0.runnable, isWaiting: $0.isWaiting)
      }
    ).stretches.map { "\($0.state) \($0.start)–\($0.end)" }
  }

  @Test func aWaitTouchesTheLookThatSawIt() {
    #expect(
      stretches([(0, 0, 0, false), (10, 7, 0, true), (20, 7, 0, true), (30, 12, 2, false), (40, 22, 2, false)])
        == ["running 0–7", "waiting 7–23", "runnable 23–25", "running 25–40"])
  }

  @Test func aWaitThatNoLookSawIsInTheMiddle() {
    #expect(
      stretches([(0, 0, 0, false), (10, 6, 0, false)]) == ["running 0–3", "waiting 3–7", "running 7–10"])
  }

  /// It waited at both looks, and ran between them.
  @Test func twoWaits() {
    #expect(
      stretches([(0, 0, 0, true), (10, 4, 0, true)]) == ["waiting 0–3", "running 3–7", "waiting 7–10"])
  }

  /// The kernel counts a running thread's time at its next tick: until then it seems to wait.
  @Test func timeThatIsCountedLateIsNoWait() {
    #expect(stretches([(0, 0, 0, false), (10, 2, 0, false), (20, 20, 0, false)]) == ["running 0–20"])
  }

  /// The kernel counts a wait for a processor when it ends. Of a program with more threads than processors, most of that
  /// wait counted as running.
  @Test func aWaitForAProcessorThatIsCountedLateIsNotRunning() {
    #expect(
      stretches([(0, 0, 0, false), (50, 0, 0, false), (100, 0, 0, false), (104, 4, 100, false)])
        == ["runnable 0–100", "running 100–104"])
    #expect(
      stretches([(0, 0, 0, false), (10, 2, 0, false), (20, 15, 5, false)])
        == ["runnable 0–5", "running 5–20"])
  }

  /// The kernel counts such a wait when it ends, with the part before the first look.
  @Test func aWaitForAProcessorThatBeganBeforeTheFirstLook() {
    #expect(
      stretches([(0, 0, 0, false), (10, 5, 9, false), (20, 15, 9, false)]) == ["runnable 0–5", "running 5–20"])
  }

  /// The launcher may lack a processor when the program stops. The program seemed to sleep until the launcher noticed.
  @Test func aStopBeginsBeforeTheLauncherNoticesIt() {
    func began(_ now: Int64, lateBy lateness: Int64, running: Int64 = 4, runnable: Int64 = 1, _ looks: [(Int64, Bool)])
      -> Int64
    {
      ProcessorTimes.stopBegan(
        before: now, lateBy: lateness, SchedulerCounts(running: running, runnable: runnable),
        after: looks.map { .init(time: $0.0, running: 0, runnable: 0, isWaiting: false, endsStop: $0.1) })
    }
    #expect(began(100, lateBy: 0, [(50, false)]) == 100)
    #expect(began(100, lateBy: 30, [(50, false)]) == 70)
    // It ran, and was ready, for 5 since the look.
    #expect(began(100, lateBy: 80, [(50, false)]) == 55 && began(100, lateBy: 47, [(50, false)]) == 55)
    // A look at the thread that stands still says nothing. One after another stop does.
    #expect(began(100, lateBy: 30, [(50, false), (99, false)]) == 70)
    #expect(began(100, lateBy: 30, [(50, false), (90, true)]) == 95)
    #expect(began(100, lateBy: 30, running: 90, []) == 100 && began(100, lateBy: 30, running: 90, [(50, false)]) == 100)
  }

  @Test func nothingIsKnownWithoutLooks() {
    #expect(stretches([]).isEmpty)
    #expect(EstimatedStates([]).switches(at: .init(processID: 1, threadID: 1)).isEmpty)
  }

  @Test func switchesAreThoseOfTheKernel() {
    let looks: [ProcessorTimes.Look] = [
      .init(time: 0, running: 0, runnable: 0, isWaiting: false),
      .init(time: 10, running: 7, runnable: 0, isWaiting: true),
      .init(time: 30, running: 15, runnable: 2, isWaiting: false),
    ]
    let first = PerfEvents.Occurrence(processID: 5, threadID: 5)
    let switches = EstimatedStates(looks).switches(at: first).map {
      "\($0.place.time) \($0.isOut ? $0.isPreempted ? "preempted" : "out" : "in")"
    }
    #expect(switches == ["0 in", "7 out", "20 in", "20 preempted", "22 in"])
    let ending = EstimatedStates(Array(looks.prefix(2))).switches(at: first)
    #expect(ending.map(\.place.time) == [0, 7, 10] && !ending[2].isOut)
    let other = PerfEvents.Occurrence(processID: 5, threadID: 6, processor: 2)
    let waiting = EstimatedStates(Array(looks.prefix(2))).switches(at: other)
    #expect(waiting.map(\.place.time) == [0, 7] && waiting[1].isOut && waiting[1].place.processor == 2)
  }

  /// Threads that run, wait and are ready at random, with looks at random times, and a tick that is late.
  @Test func theSumsAreRightUpToATick() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let tick: Int64 = 4_000
      var truth: [(state: State, end: Int64)] = []
      var end: Int64 = 0
      for _ in 0..<Int.random(in: 1..<40, using: &random) {
        end += Int64.random(in: 1..<9_000, using: &random)
        let last = truth.last?.state ?? .waiting
        truth.append(
          (
            last == .waiting
              ? Bool.random(using: &random) ? .running : .runnable : last == .runnable ? .running : .waiting, end
          ))
      }
      func time(_ state: State, until limit: Int64) -> Int64 {
        var (sum, start): (Int64, Int64) = (0, 0)
        for stretch in truth {
          if stretch.state == state { sum += max(0, min(limit, stretch.end) - start) }
          start = stretch.end
        }
        return sum
      }
      func state(at time: Int64) -> State { truth.first { time < $0.end }?.state ?? .waiting }
      var looks: [ProcessorTimes.Look] = []
      var now: Int64 = 0
      while now < end {
        let isRunning = state(at: now) == .running
        // Of a running thread, the time since the last tick is missing, but never what it ran before its last wait.
        let counted =
          isRunning
          ? max(time(.running, until: now / tick * tick), looks.last?.running ?? 0) : time(.running, until: now)
        // A wait for a processor counts when it ends.
        let ready = truth.last { $0.state == .runnable && $0.end <= now }.map { time(.runnable, until: $0.end) } ?? 0
        looks.append(
          .init(time: now, running: counted, runnable: ready, isWaiting: state(at: now) == .waiting))
        now += Int64.random(in: 500..<3_000, using: &random)
      }
      looks.append(
        .init(
          time: end, running: time(.running, until: end), runnable: time(.runnable, until: end), isWaiting: false))
      let stretches = EstimatedStates(looks).stretches
      for (one, next) in zip(stretches, stretches.dropFirst()) {
        #expect(one.end == next.start && one.state != next.state && one.end > one.start, "\(stretches)")
      }
      let last = looks[looks.count - 1].time
      for state in [State.running, .runnable, .waiting] {
        let sum = stretches.filter { $0.state == state }.reduce(0) { $0 + $1.end - $1.start }
        #expect(abs(sum - time(state, until: last)) <= tick, "\(state) \(sum) \(time(state, until: last))")
      }
    }
  }

  /// The first stack in a wait is the wait's.
  @Test func stacksOfWaitsMoveToTheirBeginnings() {
    let looks: [ProcessorTimes.Look] = [
      .init(time: 0, running: 0, runnable: 0, isWaiting: false),
      .init(time: 10, running: 7, runnable: 0, isWaiting: true),
      .init(time: 30, running: 7, runnable: 0, isWaiting: true),
      .init(time: 40, running: 12, runnable: 0, isWaiting: false),
      .init(time: 50, running: 20, runnable: 0, isWaiting: true),
    ]
    let stacks = [5, 10, 30, 49].map { time in
      PerfEvents.Sample(place: .init(time: time, processID: 1, threadID: 1), addresses: [UInt64(time)])
    }
    let found = EstimatedStates(looks).atBeginnings(stacks)
    #expect(found.map { "\($0.place.time) \($0.addresses)" } == ["7 [10]", "48 [49]"])
  }

  @Test func aStopOfTheLauncherIsNoWait() throws {
    let looks: [ProcessorTimes.Look] = [
      .init(time: 0, running: 0, runnable: 0, isWaiting: false),
      .init(time: 10, running: 10, runnable: 0, isWaiting: false),
      .init(time: 14, running: 10, runnable: 3, isWaiting: false, endsStop: true),
      .init(time: 20, running: 16, runnable: 3, isWaiting: false),
    ]
    let states = EstimatedStates(looks)
    #expect(
      states.stretches.map { "\($0.state) \($0.start)–\($0.end)" } == [
        "running 0–10", "stopped 10–14", "running 14–20",
      ])
    let departure = try #require(states.departures(at: .init(processID: 5, threadID: 5)).first)
    #expect(departure.place.time == 9 && departure.state == 8)
    let sample = PerfEvents.Sample(place: .init(time: 18, processID: 5, threadID: 5), addresses: [1])
    func period(_ count: Int, _ threads: [EstimatedStates]) -> Int64? {
      EstimatedStates.samplePeriod(of: [PerfEvents.Sample](repeating: sample, count: count), threads)
    }
    #expect(period(1, [states]) == nil)
    #expect(period(20, [EstimatedStates([])]) == nil)
    #expect(period(14, [states]) == 1)
    #expect(period(14, [states, states]) == 2)
  }
}
