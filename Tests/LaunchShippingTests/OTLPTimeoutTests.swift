// SPDX-License-Identifier: Apache-2.0

import LaunchShipping
import TestSupport
import Testing

struct OTLPTimeoutTests {
  @Test func millisecondsAreRead() {
    for (text, seconds) in [
      ("10000", 10), ("1", 0.001), ("2500", 2.5), ("0", 86_400), ("86400001", 86_400),
      ("9223372036854775807", 86_400),
    ] {
      #expect(OTLPTimeout.seconds(text) == seconds, "\(text)")
    }
    for text in ["", "-1", "1.5", "10s", "soon", "1e4", "9223372036854775808"] {
      #expect(OTLPTimeout.seconds(text) == nil, "\(text)")
    }
  }

  @Test func theMessageSaysHowLongItWaited() throws {
    let (receiver, spool) = (try Receiver(["silent"]), try FilledSpool(2))
    let place = Spool(path: spool.path)
    var told: [String] = []
    var shipper = Shipper(
      to: try Destination("otlp=" + receiver.address, format: .json, headers: [], timeout: 0.25), patience: .zero
    ) { told.append($0) }
    let result = try shipper.ship(
      try place.contents().entries, line: \.line, delivered: place.remove, refused: place.refuse)
    #expect(result == .init(delivered: 0, refused: 0, left: 2))
    #expect(told.count == 1 && told[0].contains(": no answer within 0.25 s; "), "\(told)")
    #expect(spool.left.count == 2)
  }
}
