// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Which image an address is in.
struct CodePlacesTests {
  private func place(_ time: Int64) -> PerfEvents.Occurrence { PerfEvents.Occurrence(time: time, processID: 7) }

  /// A program that closes a library gets the next one at the same address.
  @Test func aLibraryThatTookThePlaceOfAnotherOne() {
    var events = PerfEvents(PerfLog())
    events.mappings = [("/lib/alpha.so", 10), ("/lib/gamma.so", 100), ("/lib/alpha.so", 200)].map { path, time in
      PerfEvents.Mapping(
        place: place(time), address: 0x1000, length: 0x1000, offset: 0, path: path, protection: 5)
    }
    let places = CodePlaces(ProcessHistory(events), images: ImageCache(), since: 0)
    let images = [5, 20, 99, 100, 150, 250, 30].map { places.frame(place($0), 0x1234).image }
    let (alpha, gamma) = ("/lib/alpha.so", "/lib/gamma.so")
    #expect(images == ["", alpha, alpha, gamma, gamma, alpha, alpha])
  }
}
