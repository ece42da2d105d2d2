// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

struct KilledShipperTests {
  /// A shipper that is killed at any moment has removed only records that have arrived.
  @Test func nothingIsLostHoweverOftenItIsKilled() throws {
    let (receiver, spool) = (try Receiver(["200"]), try FilledSpool(0))
    let program = try BuiltProgram.product("shipping-program")
    var (generator, ids, kills) = (SeededGenerator(seed: 145), [String](), 0)
    for round in 0..<200 {
      ids += try (0..<3).map { try spool.add(3 * round + $0) }
      let shipper = try RunningProcess.start(program, [spool.path, "otlp=" + receiver.address])
      usleep(UInt32.random(in: 0...10_000, using: &generator))
      shipper.signal(SIGKILL)
      if case .signalled = try shipper.finish().outcome { kills += 1 }
    }
    // On a busy machine the moments of many come late.
    #expect(kills > 20)
    let arrived = Set(receiver.launches)
    let lost = ids.filter { id in !arrived.contains(id) && !spool.left.contains { $0.contains(id) } }
    #expect(lost.isEmpty)
    #expect(try RunningProcess.start(program, [spool.path, "otlp=" + receiver.address]).finish().succeeded)
    #expect(spool.left.isEmpty)
    #expect(Set(receiver.launches) == Set(ids))
    #expect(Set(ids).count == 600)
  }
}
