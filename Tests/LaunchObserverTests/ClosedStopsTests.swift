// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver
@testable import LaunchTrace

/// Removing the stop at execve from the launch.
struct ClosedStopsTests {
  private func place(_ time: Int64, _ processor: UInt32) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: time, processID: 7, threadID: 7, processor: processor)
  }

  private func change(_ time: Int64, _ processor: UInt32, isOut: Bool) -> PerfEvents.Switch {
    PerfEvents.Switch(place: place(time, processor), isOut: isOut, isPreempted: false)
  }

  @Test func aReasonThatHoldsForSeveralProcessesIsToldOnce() {
    var launch = ObservedLaunch(processID: 7)
    for reason in ["no phases", "no stacks", "no phases"] { launch.addShortcoming(reason) }
    #expect(launch.shortcoming == "no phases; no stacks")
  }

  /// The scheduler may resume the thread on another processor. If a reader saw it resume before it stopped, the
  /// thread would seem never to run again.
  @Test(arguments: [UInt32(0), 1, 2]) func theThreadComesBackOnAnyProcessor(back: UInt32) {
    var launch = ObservedLaunch(processID: 7)
    launch.stops = [ObservedLaunch.Stop(start: 1_050, end: 1_900)]
    var events = PerfEvents(PerfLog())
    events.switches = [
      change(1_000, 1, isOut: false), change(1_040, 1, isOut: true), change(2_000, back, isOut: false),
      change(2_500, back, isOut: true), change(9_000, 0, isOut: false), change(9_100, 0, isOut: true),
    ]
    let closed = ClosedStops(launch, events)
    #expect(closed.time == 960)
    let switches = ProcessorSwitches(closed.events, launched: 7, waits: [], stops: [], boot: 0) { _ in true }
    // In a reader's order: by time, then by processor.
    let all = switches.byProcessor.sorted { $0.key < $1.key }.flatMap(\.value).sorted { $0.time < $1.time }
    let own = all.filter { $0.previous == 7 || $0.next == 7 }
    #expect(own.map { $0.next == 7 } == [true, false, true, false, true, false], "\(own)")
    #expect(own.map(\.time) == [1_960, back == 1 ? 2_000 : 1_999, 2_000, 2_500, 9_000, 9_100])
    #expect(own[1].previousState == 0, "it could have run on")
  }

  /// It would count as that of the first waits after the stop.
  @Test func theWaitForAProcessorAfterAStopIsTakenOut() {
    var launch = ObservedLaunch(processID: 7)
    launch.stops = [ObservedLaunch.Stop(start: 1_050, end: 1_900)]
    launch.queueLooks = [(1_950, 5), (2_500, 105), (3_000, 110)].map { QueueTimes.Look(time: $0, queued: $1) }
    var events = PerfEvents(PerfLog())
    events.switches = [change(1_000, 1, isOut: false), change(1_040, 1, isOut: true), change(2_000, 1, isOut: false)]
    let looks = ClosedStops(launch, events).launch.queueLooks
    #expect(looks.map(\.queued) == [5, 5, 10] && looks.map(\.time) == [2_000, 2_500, 3_000])
  }

  /// The agent in the program reads the clock, too: before, between and after the stops.
  @Test func theProgramsOwnTimesMoveWithTheOthers() {
    var launch = ObservedLaunch(processID: 7)
    launch.stops = [ObservedLaunch.Stop(start: 1_000, end: 1_500), ObservedLaunch.Stop(start: 3_000, end: 4_000)]
    launch.endStop = ObservedLaunch.Stop(start: 6_000, end: 6_200)
    launch.hits = [500, 2_000, 5_000, 6_300].map { ObservedLaunch.Hit(time: $0, address: 1) }
    launch.passages = launch.hits.map {
      PerfEvents.Passage(place: place($0.time, 0), function: 1, isReturn: false)
    }
    let closed = ClosedStops(launch, PerfEvents(PerfLog()))
    #expect(closed.launch.passages.map(\.place.time) == closed.launch.hits.map(\.time))
    #expect(closed.launch.hits.map(\.time) == [2_000, 3_000, 5_000, 6_100])
    #expect([500, 2_000, 5_000, 6_300].map(closed.moved) == [2_000, 3_000, 5_000, 6_100])
  }

  /// A launcher that gets no processor comes late to the stop at the program's end, and the thread waits for it.
  @Test(arguments: [UInt32(0), 1]) func theWaitForTheLauncherIsTakenOutToo(back: UInt32) {
    var launch = ObservedLaunch(processID: 7)
    launch.endStop = ObservedLaunch.Stop(start: 6_000, end: 6_200)
    launch.hits = [.init(time: 900, address: 1), .init(time: 7_100, address: 1)]
    var events = PerfEvents(PerfLog())
    events.switches = [change(500, 1, isOut: false), change(1_000, 1, isOut: true), change(7_000, back, isOut: false)]
    events.threads = [.init(place: place(7_300, back), parentProcessID: 1, isEnd: true)]
    let closed = ClosedStops(launch, events)
    #expect(closed.endTime == 6_000 && closed.time == 0)
    #expect(closed.events.switches.map(\.place.time) == [500, back == 1 ? 1_000 : 999, 1_000])
    #expect(closed.events.switches[1].isPreempted)
    #expect(closed.events.threads[0].place.time == 1_300 && closed.launch.hits.map(\.time) == [900, 1_100])
  }

  /// The launcher's stops are no waits of the program.
  @Test func aThreadAtABreakpointIsStopped() {
    var events = PerfEvents(PerfLog())
    events.switches = [
      change(100, 1, isOut: false), change(200, 1, isOut: true), change(500, 1, isOut: false),
      change(600, 1, isOut: true), change(900, 1, isOut: false), change(950, 1, isOut: true),
    ]
    let switches = ProcessorSwitches(
      events, launched: 7, waits: [], stops: [(threadID: 7, time: 650), (threadID: 8, time: 300)], boot: 0
    ) { _ in true }
    let left = switches.byProcessor[1]?.filter { $0.previous == 7 } ?? []
    #expect(left.map(\.previousState) == [1, 8, 1] && switches.stopped == [7: 300])
  }

  /// Ctrl-Z was a stop by launchprof if the scheduler reported it of a thread to which the launcher was attached.
  @Test(arguments: [true, false]) func aPauseOfAnAttachedThreadIsNoStopByTheLauncher(isScheduled: Bool) {
    var events = PerfEvents(PerfLog())
    events.switches = [
      change(100, 1, isOut: false), change(200, 1, isOut: true), change(300, 1, isOut: false),
      change(400, 1, isOut: true), change(900, 1, isOut: false), change(950, 1, isOut: true),
    ]
    if isScheduled {
      events.departures = [(199, 8), (399, 8), (949, 1)].map { .init(place: place($0, 1), state: $1, number: 7) }
    }
    let switches = ProcessorSwitches(
      events, launched: 7, waits: [], stops: [(threadID: 7, time: 250)], pauses: [450], boot: 0
    ) { _ in true }
    let left = switches.byProcessor[1]?.filter { $0.previous == 7 } ?? []
    #expect(left.map(\.previousState) == [8, 4, 1] && switches.stopped == [7: 100])
  }
}
