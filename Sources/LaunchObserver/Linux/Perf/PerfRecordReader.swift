// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSymbols

/// Reads perf's records (perf_event_open(2), "MMAP layout"), as the events of CLaunchObserver's perf.c write them.
struct PerfRecordReader {
  private let bytes: UnsafeRawBufferPointer
  private let ring: [UInt8]
  private let events: [UInt64: lo_perf_event]
  private let scheduler: SchedulerTracepoints?
  /// Nothing but the calls of watched functions by this process is read; nil for everything.
  private let caller: Int32?

  /// PERF_RECORD_…
  private enum Kind {
    static let lost: UInt32 = 2
    static let comm: UInt32 = 3
    static let exit: UInt32 = 4
    static let throttle: UInt32 = 5
    static let fork: UInt32 = 7
    static let sample: UInt32 = 9
    static let mapping: UInt32 = 10
    static let `switch`: UInt32 = 14
  }

  private static let headerSize = 8
  /// After every record that is not a sample: {pid, tid, time, cpu, reserved, identifier}.
  private static let trailerSize = 32

  /// - Parameter bytes: of one of the log's rings.
  init(_ bytes: UnsafeRawBufferPointer, of ring: [UInt8], _ log: PerfLog, callsOf caller: Int32? = nil) {
    self.bytes = bytes
    self.ring = ring
    self.caller = caller
    events = log.events
    scheduler = log.scheduler
  }

  mutating func readAll(into result: inout PerfEvents) {
    var at = 0
    while at + Self.headerSize <= bytes.count {
      let kind = UInt32(at: at, of: bytes)
      let flags = UInt16(at: at + 4, of: bytes)
      let size = Int(UInt16(at: at + 6, of: bytes))
      guard size >= Self.headerSize, at + size <= bytes.count else { return }
      let record = UnsafeRawBufferPointer(rebasing: bytes[at + Self.headerSize..<at + size])
      if kind == Kind.sample {
        if isWanted(record) { read(sample: record, &result) }
      } else if caller != nil {
        // Not the record of a sample.
      } else if record.count >= Self.trailerSize, let event = events[UInt64(at: record.count - 8, of: record)] {
        // The event that wakes us for the first thread's programs repeats records of others. Lost stacks of waits are not missed.
        if kind != Kind.lost || event.kind != LO_PERF_WAIT { read(kind, flags, record, &result) }
        // The kernel takes no samples until the next tick, because there were too many (kernel.perf_event_max_sample_rate).
        if kind == Kind.throttle, event.kind == LO_PERF_SAMPLES { result.throttled += 1 }
      }
      at += size
    }
  }

  private func isWanted(_ sample: UnsafeRawBufferPointer) -> Bool {
    guard let caller else { return true }
    return sample.count >= 16 && Int32(at: 8, of: sample) == caller
      && events[UInt64(at: 0, of: sample)]?.kind == LO_PERF_CALL
  }

  private func read(_ kind: UInt32, _ flags: UInt16, _ record: UnsafeRawBufferPointer, _ result: inout PerfEvents) {
    let end = record.count - Self.trailerSize
    let place = Self.occurrence(at: end, of: record)
    let body = UnsafeRawBufferPointer(rebasing: record[..<end])
    switch kind {
    case Kind.switch:
      // PERF_RECORD_MISC_SWITCH_OUT, …_SWITCH_OUT_PREEMPT
      result.switches.append(.init(place: place, isOut: flags & 1 << 13 != 0, isPreempted: flags & 1 << 14 != 0))
    case Kind.comm where body.count >= 8:
      var named = place
      (named.processID, named.threadID) = (Int32(at: 0, of: body), Int32(at: 4, of: body))
      // PERF_RECORD_MISC_COMM_EXEC
      result.names.append(.init(place: named, isExec: flags & 1 << 13 != 0, name: text(body, from: 8)))
    case Kind.mapping where body.count >= 64: read(mapping: body, flags, place, &result)
    case Kind.fork where body.count >= 24, Kind.exit where body.count >= 24:
      // {pid, ppid, tid, ptid, time}: of a fork the child's.
      var child = place
      (child.processID, child.threadID) = (Int32(at: 0, of: body), Int32(at: 8, of: body))
      result.threads.append(
        .init(
          place: child, parentProcessID: Int32(at: 4, of: body), creator: Int32(at: 12, of: body),
          isEnd: kind == Kind.exit))
    case Kind.lost where body.count >= 16: result.lost += UInt64(at: 8, of: body)
    default: break
    }
  }

  /// {pid, tid, address, length, offset, device, inode, generation, protection, flags, path}
  private func read(
    mapping body: UnsafeRawBufferPointer, _ flags: UInt16, _ place: PerfEvents.Occurrence, _ result: inout PerfEvents
  ) {
    var place = place
    (place.processID, place.threadID) = (Int32(at: 0, of: body), Int32(at: 4, of: body))
    var mapping = PerfEvents.Mapping(
      place: place, address: UInt64(at: 8, of: body), length: UInt64(at: 16, of: body),
      offset: UInt64(at: 24, of: body), path: text(body, from: 64), protection: UInt32(at: 56, of: body),
      inode: UInt64(at: 40, of: body))
    if UInt32(at: 60, of: body) & UInt32(MAP_SHARED) != 0 { mapping.forgetFileOfSharedCode() }
    // PERF_RECORD_MISC_MMAP_DATA
    if flags & 1 << 13 != 0 { result.dataMappings.append(mapping) } else { result.mappings.append(mapping) }
  }

  /// {identifier, address of the instruction, pid, tid, time, [address,] cpu, reserved, [count, call chain, [registers, stack]]}
  private func read(sample: UnsafeRawBufferPointer, _ result: inout PerfEvents) {
    guard sample.count >= 32, let event = events[UInt64(at: 0, of: sample)] else { return }
    switch event.kind {
    case LO_PERF_SWITCH, LO_PERF_WAKING:
      guard sample.count >= 36 else { return }
      return read(raw: sample, event.kind, &result)
    case LO_PERF_CALL, LO_PERF_RETURN: return read(passage: sample, event, &result)
    case LO_PERF_COUNT:
      let counted = PerfEvents.CountedCalls(processID: Int32(at: 8, of: sample), function: event.address)
      result.counts[counted, default: 0] += 1
      return
    default: break
    }
    guard sample.count >= 40 else { return }
    var place = Self.occurrence(at: 16, of: sample)
    switch event.kind {
    case LO_PERF_FAULTS where sample.count >= 48:
      place.processor = UInt32(at: 40, of: sample)
      result.faults.append(.init(place: place, address: UInt64(at: 32, of: sample)))
    case LO_PERF_BREAKPOINT:
      result.hits.append(.init(place: place, address: event.address))
    case LO_PERF_SAMPLES where sample.count >= 48, LO_PERF_WAIT where sample.count >= 48:
      let count = min(Int(clamping: UInt64(at: 40, of: sample)), (sample.count - 48) / 8)
      // The last 4,095 addresses are marks: here the user's part begins.
      let addresses = (0..<count).map { UInt64(at: 48 + $0 * 8, of: sample) }.filter { $0 < UInt64.max - 4095 }
      let stack = PerfEvents.Sample(
        place: place, addresses: addresses.isEmpty ? [UInt64(at: 8, of: sample)] : addresses,
        copy: copy(sample, at: 48 + count * 8))
      if event.kind == LO_PERF_WAIT { result.waits.append(stack) } else { result.samples.append(stack) }
    default: break
    }
  }

  /// The kernel's numbers for registers, as DWARF has them.
  private static let registerNumbers: [Int] = {
    var count = 0
    let numbers = lo_perf_register_numbers(&count)
    return UnsafeBufferPointer(start: numbers, count: count).map(Int.init)
  }()

  /// {kind of registers, registers, size of the stack, stack, size}; nil where there is no copy of 64-bit registers and stack.
  private func copy(_ sample: UnsafeRawBufferPointer, at start: Int) -> (UnwindRegisters, StackCopy)? {
    let numbers = Self.registerNumbers
    let stack = start + 8 + numbers.count * 8
    // PERF_SAMPLE_REGS_ABI_64
    guard stack + 8 <= sample.count, UInt64(at: start, of: sample) == 2 else { return nil }
    let size = UInt64(at: stack, of: sample)
    guard size > 0, size <= UInt64(sample.count - stack - 8), let base = sample.baseAddress, let all = bytes.baseAddress
    else { return nil }
    var registers = UnwindRegisters(programCounter: 0)
    for (place, number) in numbers.enumerated() {
      let value = UInt64(at: start + 8 + place * 8, of: sample)
      if number < 0 { registers.programCounter = value } else { registers[number] = value }
    }
    guard let pointer = registers[UnwindRegisters.stackPointer] else { return nil }
    let first = base - all + stack + 8
    return (registers, StackCopy(address: pointer, bytes: ring[first..<first + Int(size)]))
  }

  /// {identifier, pid, tid, time, cpu, reserved}; of a call also {count, call chain}, {kind of registers, three arguments}
  private func read(passage sample: UnsafeRawBufferPointer, _ event: lo_perf_event, _ result: inout PerfEvents) {
    let place = Self.occurrence(at: 8, of: sample)
    var passage = PerfEvents.Passage(place: place, function: event.address, isReturn: event.kind == LO_PERF_RETURN)
    if !passage.isReturn {
      guard sample.count >= 48 else { return }
      let count = min(Int(clamping: UInt64(at: 32, of: sample)), (sample.count - 48) / 8)
      let registers = 40 + count * 8
      // 0 for a thread of the kernel, which has none.
      guard UInt64(at: registers, of: sample) != 0, sample.count >= registers + 32 else { return }
      passage.addresses = (0..<count).map { UInt64(at: 40 + $0 * 8, of: sample) }.filter { $0 < UInt64.max - 4095 }
      let values = (
        UInt64(at: registers + 8, of: sample), UInt64(at: registers + 16, of: sample),
        UInt64(at: registers + 24, of: sample)
      )
      passage.arguments = Self.isFirstArgumentLast ? (values.2, values.1, values.0) : values
    }
    result.passages.append(passage)
  }

  /// {pid, tid, time, cpu}, with the kernel's time as our CLOCK_MONOTONIC.
  private static func occurrence(at place: Int, of record: UnsafeRawBufferPointer) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(
      time: Int64(bitPattern: UInt64(at: place + 8, of: record)) &+ KernelClock.offset,
      processID: Int32(at: place, of: record), threadID: Int32(at: place + 4, of: record),
      processor: UInt32(at: place + 16, of: record))
  }

  /// The kernel gives registers in the order of its numbers for them: on x86-64 rdx, rsi, rdi.
  private static var isFirstArgumentLast: Bool {
    #if arch(x86_64)
    true
    #else
    false
    #endif
  }

  /// {identifier, pid, tid, time, cpu, reserved, size, bytes}
  private func read(raw sample: UnsafeRawBufferPointer, _ kind: lo_perf_kind, _ result: inout PerfEvents) {
    let place = Self.occurrence(at: 8, of: sample)
    let size = min(Int(UInt32(at: 32, of: sample)), sample.count - 36)
    let raw = UnsafeRawBufferPointer(rebasing: sample[36..<36 + size])
    guard let scheduler else { return }
    if kind == LO_PERF_SWITCH {
      guard let state = value(scheduler.state, of: raw), let number = value(scheduler.previous, of: raw) else { return }
      // Bits above are the tracer's own, and have changed with versions.
      result.departures.append(.init(place: place, state: state & 0xff, number: Int32(truncatingIfNeeded: number)))
    } else {
      guard let woken = value(scheduler.woken, of: raw), let flags = value(scheduler.flags, of: raw) else { return }
      result.wakings.append(
        .init(place: place, woken: Int32(truncatingIfNeeded: woken), isInterrupt: flags & Self.interruptFlags != 0))
    }
  }

  /// TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ
  private static let interruptFlags: Int64 = 0x18

  /// A field of a tracepoint's record.
  private func value(_ field: Tracepoint.Field, of raw: UnsafeRawBufferPointer) -> Int64? {
    guard field.offset + field.size <= raw.count else { return nil }
    return switch field.size {
    case 1: Int64(UInt8(at: field.offset, of: raw))
    case 2: Int64(UInt16(at: field.offset, of: raw))
    case 4: Int64(Int32(at: field.offset, of: raw))
    default: Int64(bitPattern: UInt64(at: field.offset, of: raw))
    }
  }

  /// A zero-terminated string.
  private func text(_ body: UnsafeRawBufferPointer, from start: Int) -> String {
    String(decoding: body[start...].prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension FixedWidthInteger {
  /// The integer at an offset of `bytes`, which must hold it; in the machine's order, as the kernel writes.
  fileprivate init(at offset: Int, of bytes: UnsafeRawBufferPointer) {
    self = bytes.loadUnaligned(fromByteOffset: offset, as: Self.self)
  }
}
