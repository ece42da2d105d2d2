// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// The points of a program that another program executed.
struct LoadPointsTests {
  private func place(_ time: Int64) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: time, processID: 7, threadID: 7)
  }

  /// A program executes a static one at 6,000, which runs from 6,050 on. The launcher watches it from 6,500 on.
  ///
  /// - Parameter hits: when the second program reached `_start` (1) and `main` (2), as far as the breakpoints saw it.
  private func points(hits: [(time: Int64, address: UInt64)], main: UInt64? = 2) -> LoadPoints {
    var launch = ObservedLaunch(processID: 7)
    launch.means = .perf
    var addresses = LoadAddresses()
    (addresses.entry, addresses.main) = (1, main)
    launch.images = [
      ObservedLaunch.Image(time: 200, path: "/bin/first", wasStopped: true),
      ObservedLaunch.Image(time: 6_500, path: "/bin/static", addresses: addresses, means: .perf),
    ]
    var events = PerfEvents(PerfLog())
    events.names = [(100, "first"), (6_000, "static")].map {
      PerfEvents.Name(place: place($0.0), isExec: true, name: $0.1)
    }
    events.mappings = [150, 6_050].map {
      PerfEvents.Mapping(place: place($0), address: 0x7000, length: 0x2000, offset: 0, path: "[vdso]", protection: 5)
    }
    events.hits = hits.map { PerfEvents.Hit(place: place($0.time), address: $0.address) }
    return LoadPoints(launch, events)
  }

  private func times(_ points: LoadPoints, _ name: String) -> [Int64] {
    points.points.filter { $0.name == name && $0.time >= 6_000 }.map(\.time)
  }

  /// Without a point of its own, it had the time of the first program.
  @Test func aStaticProgramThatBeganUnwatchedBeginsWhereItsMemoryIsMapped() {
    let missed = points(hits: [])
    #expect(times(missed, "entry") == [6_050] && times(missed, "main") == [6_050])
    #expect(missed.points.last { $0.name == "main" }?.source == "estimated")
    #expect(missed.unwatched == "/bin/static")
  }

  @Test func theBreakpointsThatItReachedAreItsPoints() {
    let late = points(hits: [(7_000, 2)])
    #expect(times(late, "entry") == [6_050] && times(late, "main") == [7_000] && late.unwatched == nil)
    let all = points(hits: [(6_600, 1), (7_000, 2)])
    #expect(times(all, "entry") == [6_600] && times(all, "main") == [7_000] && all.unwatched == nil)
  }

  /// Its initialisers count as part of `main`, watched or not.
  @Test func aProgramWithoutAKnownMainLacksNothing() {
    let points = points(hits: [], main: nil)
    #expect(times(points, "main") == [6_050] && points.unwatched == nil)
  }
}
