// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Findings about waits for locks and threads say what the others did meanwhile.
struct LockFindingTests: WaitingSuite {
  /// A thread that holds a lock may wait itself, so no sample says what it does.
  @Test func whatTheHolderOfALockWaitedIn() throws {
    var launch = launch()
    let holder = launch.thread(4720, name: "holder")
    launch.turn(from: 5 * millisecond, to: 12 * millisecond, on: holder, cpu: 2)
    launch.waitStack([Frame("flush()")] + sleep, at: 12 * millisecond, on: holder)
    launch.turn(from: 60 * millisecond, to: 70 * millisecond, on: holder, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("futex", at: 20 * millisecond, owner: 4720)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.evidence.filter { $0.kind == .thread }.map(\.text) == ["holder (4720) held the lock, in flush()"])
  }

  /// It worked in `parse()` for 15 ms of the 95, and slept in another function. Both sentences named `parse()`. Without
  /// the stack, samples do not say where it slept.
  @Test(arguments: [true, false]) func theHolderOfALockSleptInAnotherFunctionThanItsSamplesShow(hasStack: Bool) throws {
    var launch = launch()
    let holder = launch.thread(4720, name: "holder")
    launch.turn(from: 2 * millisecond, to: 17 * millisecond, on: holder, cpu: 2)
    launch.samples(entry + [Frame("parse()")], from: 2 * millisecond, to: 17 * millisecond, on: holder)
    if hasStack { launch.waitStack([Frame("retry()")] + sleep, at: 17 * millisecond, on: holder) }
    launch.look("clock_nanosleep", at: 30 * millisecond, on: holder)
    launch.turn(from: 95 * millisecond, to: 97 * millisecond, on: holder, cpu: 2)
    launch.pause(from: 3 * millisecond, to: 97 * millisecond)
    launch.look("futex", at: 20 * millisecond, owner: 4720)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    let place = hasStack ? ", in retry()" : ""
    #expect(finding.evidence.filter { $0.kind == .thread }.map(\.text) == ["holder (4720) held the lock\(place)"])
    #expect(
      finding.advice.hasSuffix("For most of that time, it slept (clock_nanosleep)\(place)."), "\(finding.advice)")
  }

  /// Its samples say what it does while it works, and where another thread took its processor.
  @Test(arguments: [SwitchKind.sleeping, .preempted]) func theSamplesOfAThreadThatHasWorkAreItsFunction(
    kind: SwitchKind
  ) throws {
    var launch = launch()
    let holder = launch.thread(4720, name: "holder")
    let end: Int64 = kind == .preempted ? 80 : 40
    launch.switched(.init(.switchedIn, at: 2 * millisecond, on: holder, cpu: 2))
    launch.pause(from: 20 * millisecond, to: end * millisecond, kind, on: holder, cpu: 2)
    launch.switched(.init(.sleeping, at: 98 * millisecond, on: holder, cpu: 2))
    launch.samples([Frame("parse()")], from: 2 * millisecond, to: 20 * millisecond, on: holder)
    launch.waitStack([Frame("retry()")] + sleep, at: 20 * millisecond, on: holder)
    launch.pause(from: 3 * millisecond, to: 97 * millisecond)
    launch.look("futex", at: 20 * millisecond, owner: 4720)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.evidence.filter { $0.kind == .thread }.map(\.text) == ["holder (4720) held the lock, in parse()"])
  }

  /// Ten threads, one after another. The advice was about the one with a tenth of the time.
  @Test func noneOfManyThreadsIsTheReason() throws {
    var launch = SampleLaunch(exit: 400 * millisecond, isInstrumented: false)
    for number in 0..<10 as Range<Int64> {
      let worker = launch.thread(Int32(5000 + number), name: "stage")
      let start = (5 + number * 35) * millisecond
      launch.turn(from: start, to: start + 30 * millisecond, on: worker)
      launch.pause(from: start, to: start + 30 * millisecond)
      launch.look("futex", at: start + millisecond, awaited: Int32(5000 + number))
    }
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(
      finding.advice.hasPrefix("It waited for 10 threads or processes, and for none of them"), "\(finding.advice)")
  }

  /// Four threads started at the same time, and took one lock in turn. The advice was to start them at the same time.
  @Test(arguments: [true, false]) func manyThreadsThatHoldOneLockAreNotToStartEarlier(hasStack: Bool) throws {
    var launch = SampleLaunch(exit: 150 * millisecond, isInstrumented: false)
    for number in 0..<4 as Range<Int32> {
      let worker = launch.thread(4720 + number, name: "worker")
      launch.turn(from: 5 * millisecond, to: 140 * millisecond, on: worker)
      launch.look("futex", at: Int64(11 + 30 * number) * millisecond, owner: 4720 + number)
    }
    launch.pause(from: 10 * millisecond, to: 130 * millisecond)
    if hasStack { launch.waitStack(entry + [Frame("load()")], at: 10 * millisecond) }
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.occurrences == 4)
    let place = hasStack ? "It waited in load(). " : ""
    #expect(
      finding.advice == place + "4 threads held the lock in turn. Hold it for a shorter time, or protect parts of the "
        + "data with separate locks.", "\(finding.advice)")
  }

  /// Waits at different times, in functions that are not known, may be for several locks.
  @Test func manyThreadsMayHoldSeveralLocks() throws {
    var launch = SampleLaunch(exit: 150 * millisecond, isInstrumented: false)
    for number in 0..<4 as Range<Int32> {
      let start = Int64(10 + 30 * number) * millisecond
      let worker = launch.thread(4720 + number, name: "worker")
      launch.turn(from: 5 * millisecond, to: 140 * millisecond, on: worker)
      launch.look("futex", at: start + millisecond, owner: 4720 + number)
      launch.pause(from: start, to: start + 15 * millisecond)
    }
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.advice.hasPrefix("4 threads held the locks that it waited for."), "\(finding.advice)")
  }
}
