// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import Testing

struct ImageResidencyTests {
  @Test(
    arguments: [
      (0, 1_000_000, 0, LaunchKind.warm), (0, 1_000_000, nil, .warm),
      // If the launch read nothing from a disk, missing pages that it did not touch do not make it cold.
      (0, 1_000_000, 900_000, .warm),
      (500_000, 1_000_000, 0, .cold), (100_000, 1_000_000, 400_000, .cold), (9_000_000, 1_000_000, nil, .cold),
      (100_000, 1_000_000, 0, .uncertain), (4_096, 1_000_000, nil, .uncertain),
      // Nothing is known.
      (nil, 1_000_000, 0, .uncertain), (4_096, 0, nil, .uncertain), (.max, 1_000, .max, .cold),
    ] as [(Int64?, Int64, Int64?, LaunchKind)])
  func kinds(read: Int64?, size: Int64, missing: Int64?, kind: LaunchKind) {
    #expect(ImageResidency(readBytes: read, executableBytes: size, missingBytes: missing).kind == kind)
  }

  @Test func thisProcessHasOne() {
    let residency = ImageResidency.current
    #expect(residency.executableBytes > 10_000)
    #expect(residency.missingBytes.map { (0...residency.executableBytes + 65_536).contains($0) } ?? true)
  }
}
