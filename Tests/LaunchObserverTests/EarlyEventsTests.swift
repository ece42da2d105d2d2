// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Another program may write to the same place before the launch.
struct EarlyEventsTests {
  private final class Source: ReadySource {
    func look() -> ReadySignal? { nil }
  }

  @Test func whatWasWrittenBeforeTheProgramBeganIsNotItsOutput() {
    let (output, window) = (Source(), Source())
    var events = EarlyEvents()
    #expect(!events.has(output))
    for time: Int64 in [100, 200, 300] { events.add(.init(time: time, delay: time / 100), of: output) }
    events.add(.init(time: 250, delay: 0), of: window)
    #expect(events.has(output) && events.has(window))
    #expect(events.first(of: output, since: 201) == .init(time: 300, delay: 3))
    #expect(events.first(of: output, since: 200) == .init(time: 200, delay: 2))
    #expect(events.first(of: output, since: 301) == nil)
    #expect(events.first(of: window, since: 260) == nil)
  }

  @Test func theLastOfManyAreKept() {
    let source = Source()
    var events = EarlyEvents()
    for time: Int64 in 1...5_000 { events.add(.init(time: time, delay: 0), of: source) }
    #expect(events.first(of: source, since: 1) == .init(time: 4_001, delay: 0))
  }
}
