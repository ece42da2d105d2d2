// SPDX-License-Identifier: Apache-2.0

import LaunchSymbols
import LaunchTrace
import Testing

@testable import LaunchObserver

/// Why a stack lacks its outer functions. The code has no unwind tables here.
struct StackUnwinderTests {
  /// A thread at 0x1100 with a copy of 24 bytes of its stack, from 0x8000.
  private func cause(frame: UInt64, chain: [UInt64], isCopied: Bool = true) -> StackCut? {
    let place = PerfEvents.Occurrence(time: 10, processID: 7)
    var events = PerfEvents(PerfLog())
    events.mappings = [
      PerfEvents.Mapping(
        place: PerfEvents.Occurrence(time: 1, processID: 7), address: 0x1000, length: 0x1000, offset: 0,
        path: "/lib/none.so", protection: 5)
    ]
    var registers = UnwindRegisters(programCounter: 0x1100)
    registers[UnwindRegisters.stackPointer] = 0x8000
    registers[UnwindRegisters.framePointer] = frame
    let stack = StackCopy(address: 0x8000, bytes: [UInt8](repeating: 0, count: 24)[...])
    let sample = PerfEvents.Sample(place: place, addresses: chain, copy: isCopied ? (registers, stack) : nil)
    let places = CodePlaces(ProcessHistory(events), images: ImageCache(), since: 0)
    return StackUnwinder(places).stacks(of: [sample])[0].cut
  }

  @Test func aFrameBeyondTheCopyIsNoLackOfTables() {
    #expect(cause(frame: 0, chain: [0x1100]) == .noTables)
    #expect(cause(frame: 0x9000, chain: [0x1100]) == .shortCopy)
    #expect(cause(frame: 0x9000, chain: [0x1100], isCopied: false) == .noCopy)
  }

  /// The kernel followed the frame pointers further than the copy has them.
  @Test func aStackThatFramePointersCompleteIsNotCut() {
    #expect(cause(frame: 0x9000, chain: [0x1100, 0x1200, 0x1300]) == nil)
  }
}
