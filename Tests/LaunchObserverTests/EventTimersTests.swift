// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc
import Testing

@testable import LaunchObserver

/// When waits for events end without an event.
struct EventTimersTests {
  private let folder = "/proc/self"

  @Test func filesOfProcAreRead() {
    let events = "pos:\t0\ntfd:        6 events:       19 data: 6\ntfd:       11 events: 8 data: b\ntfd: x\n"
    #expect(EventTimers.descriptors(ofEvents: events) == [6, 11])
    func left(_ value: String) -> Int64? { EventTimers.timeLeft(ofTimer: "clockid: 1\nit_value: \(value)\n") }
    #expect(left("(2, 000000030)") == 2_000_000_030)
    for value in ["(0, 0)", "(-1, 5)", "(1)", "(1, 1000000000)", "(99999999999, 1)", ""] { #expect(left(value) == nil) }
  }

  /// Descriptors of this process itself.
  @Test(arguments: [false, true]) func theNextTimerIsFound(isArmed: Bool) throws {
    var (timer, events): (Int32, Int32) = (-1, -1)
    try #require(ct_make_timer(isArmed ? 1000 : 0, &timer, &events) == 0)
    defer { for file in [timer, events] { close(file) } }
    let arguments = [UInt64(events), 0, 1, 250, 0, 0]
    let timers = try #require(EventTimers(of: getpid(), folder: folder, "epoll_wait", arguments))
    #expect(timers.timeout == 250_000_000)
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let seconds = timers.expiry.map { $0 / 1_000_000_000 - Int64(now.tv_sec) }
    #expect(isArmed == (seconds.map { (900...1000).contains($0) } ?? false))
    var entry = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
    let polled = withUnsafePointer(to: &entry) { entry in
      EventTimers(
        of: getpid(), folder: folder, "poll", [UInt64(UInt(bitPattern: entry)), 1, UInt64(UInt32.max), 0, 0, 0])
    }
    #expect(polled?.timeout == nil && (polled?.expiry != nil) == isArmed)
    var (set, time) = ([UInt64](repeating: 0, count: 16), timeval(tv_sec: 2, tv_usec: 30))
    set[Int(timer) / 64] = 1 << UInt64(timer % 64)
    let selected = set.withUnsafeBufferPointer { set in
      withUnsafePointer(to: &time) { time in
        let places = [UInt64(UInt(bitPattern: set.baseAddress)), UInt64(UInt(bitPattern: time))]
        return EventTimers(of: getpid(), folder: folder, "select", [UInt64(timer + 1), places[0], 0, 0, places[1], 0])
      }
    }
    #expect(selected?.timeout == 2_000_030_000 && (selected?.expiry != nil) == isArmed)
    #expect(EventTimers(of: getpid(), folder: folder, "read", arguments) == nil)
  }
}
