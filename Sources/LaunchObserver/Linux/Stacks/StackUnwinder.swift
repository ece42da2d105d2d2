// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchTrace

/// Finds the callers of samples by the unwind tables, and by frame pointers in code without tables (D220).
struct StackUnwinder {
  private struct Frame: Equatable {
    /// Where the thread was, or where a call returns to.
    var address: UInt64
    var stackPointer: UInt64
  }

  private struct Stack {
    /// Innermost first.
    var frames: [Frame]
    /// Why it ends before the thread's beginning; nil if it does not.
    var cut: StackCut?
    var isWhole: Bool { cut == nil }
  }

  private let places: CodePlaces

  /// Deeper stacks end there.
  private static let deepest = 512

  init(_ places: CodePlaces) { self.places = places }

  /// For each sample where the thread was and where calls return to, innermost first; and why the stack lacks its outer functions,
  /// nil if it does not.
  ///
  /// - Parameter samples: in the order of their time.
  func stacks(of samples: [PerfEvents.Sample]) -> [(addresses: [UInt64], cut: StackCut?)] {
    var stacks = samples.map { sample in
      sample.copy.map { unwound($0, sample.place) } ?? Stack(frames: [], cut: .noCopy)
    }
    complete(&stacks, of: samples, in: Array(samples.indices))
    complete(&stacks, of: samples, in: samples.indices.reversed())
    return zip(samples, stacks).map { sample, stack in
      let found = stack.frames.map(\.address)
      guard let cause = stack.cut else { return (found, nil) }
      let all = continued(found, of: sample)
      // Frame pointers that lead beyond a copy lead to the beginning, as far as is known.
      return (all, !found.isEmpty && all.count > found.count ? nil : cause)
    }
  }

  /// If two samples have the same frame (the same place on the stack, and the same return address), its callers are the same,
  /// too. So a stack that is larger than its copy gets these callers from the thread's last whole stack.
  private func complete(_ stacks: inout [Stack], of samples: [PerfEvents.Sample], in order: [Int]) {
    var whole: [Int32: Int] = [:]
    for row in order {
      let thread = samples[row].place.threadID
      if !stacks[row].isWhole, let last = stacks[row].frames.last, let known = whole[thread],
        let place = stacks[known].frames.lastIndex(of: last)
      {
        stacks[row].frames += stacks[known].frames[(place + 1)...]
        stacks[row].cut = nil
      }
      if stacks[row].isWhole { whole[thread] = row }
    }
  }

  private func unwound(
    _ copy: (registers: UnwindRegisters, stack: StackCopy), _ place: PerfEvents.Occurrence
  ) -> Stack {
    var registers = copy.registers
    var frames: [Frame] = []
    // The program counter is the next instruction, not one after a call.
    var isInterrupted = true
    func cut(_ cause: StackCut) -> Stack { Stack(frames: frames, cut: copy.stack.isEmpty ? .noCopy : cause) }
    while frames.count < Self.deepest {
      let address = isInterrupted ? registers.programCounter : registers.programCounter &- 1
      // The first function of a thread has a return address, too.
      if !frames.isEmpty, places.frame(place, address).image.isEmpty { return cut(.noTables) }
      let pointer = registers[UnwindRegisters.stackPointer] ?? 0
      frames.append(Frame(address: registers.programCounter, stackPointer: pointer))
      let rule = places.rule(place, address)
      let step =
        rule?.step(&registers, copy.stack) ?? (registers.stepByFramePointer(copy.stack) ? .caller : .unknown)
      let isInnermost = isInterrupted
      isInterrupted = rule?.isOfSignal ?? false
      switch step {
      case .outermost: return Stack(frames: frames, cut: nil)
      case .unknown: return cut(rule != nil || registers.hasFrame(beyond: copy.stack) ? .shortCopy : .noTables)
      case .caller:
        // Each caller must be nearer to the stack's beginning, so that the loop ends. A signal may have its own stack. An
        // innermost function may have nothing on the stack: on arm64, calls put the return address into a register.
        let caller = registers[UnwindRegisters.stackPointer] ?? 0
        let isOnward = isInterrupted || caller > pointer || (isInnermost && caller == pointer)
        if !isOnward { return cut(.noTables) }
      }
    }
    return cut(.tooDeep)
  }

  /// Continues with frame pointers beyond the copy of the stack, from the last frame that both have. Without such a frame, the
  /// longer of the two stacks.
  private func continued(_ found: [UInt64], of sample: PerfEvents.Sample) -> [UInt64] {
    let chain = sample.addresses
    let count =
      chain.indices.first { $0 > 0 && places.frame(sample.place, chain[$0] &- 1).image.isEmpty } ?? chain.count
    if let last = found.last, let place = chain[..<count].lastIndex(of: last), place > 0 {
      return found + chain[(place + 1)..<count]
    }
    return found.count >= count ? found : Array(chain[..<count])
  }
}
