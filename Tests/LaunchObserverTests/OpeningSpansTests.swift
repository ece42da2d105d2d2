// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// From when to when a running program loaded libraries.
struct OpeningSpansTests {
  private typealias Span = OpeningSpans.Span

  private func spans(_ events: [(Int64, OpeningSpans.Event)]) -> [Span] {
    OpeningSpans(events.map { (time: $0.0, event: $0.1) }).spans
  }

  @Test func fromTheCallToTheReturn() {
    let events: [(Int64, OpeningSpans.Event)] = [
      (10, .call), (12, .mapping(path: "/lib/z.so")), (14, .relocation(path: "/lib/z.so")), (16, .call),
      (17, .mapping(path: "/lib/y.so")), (19, .return), (20, .return),
    ]
    #expect(
      spans(events) == [
        Span(start: 10, end: 20, lacksInitializers: false), Span(start: 16, end: 19, lacksInitializers: false),
      ])
  }

  /// A program may make the data of any file read-only.
  @Test func withoutBreakpointsItEndsWithItsOwnRelocations() {
    let events: [(Int64, OpeningSpans.Event)] = [
      (10, .mapping(path: "/lib/z.so")), (11, .mapping(path: "/lib/y.so")), (12, .relocation(path: "/lib/y.so")),
      (13, .relocation(path: "/lib/z.so")), (300, .relocation(path: "/var/data.db")),
      (400, .relocation(path: "/lib/z.so")), (500, .mapping(path: "/lib/x.so")), (501, .relocation(path: "/lib/x.so")),
    ]
    #expect(
      spans(events) == [
        Span(start: 10, end: 13, lacksInitializers: true), Span(start: 500, end: 501, lacksInitializers: true),
      ])
  }
}
