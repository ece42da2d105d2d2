// SPDX-License-Identifier: Apache-2.0

/// Threads that take turns on processors, wait, and wake each other, as the kernel's scheduler would record it: with
/// one event for each entry, or in columns.
struct RandomSchedule {
  private(set) var packets = AndroidTrace()
  private var time: Int64 = 10_000
  /// By processor: the thread that runs on it, 0 for none.
  private var running: [Int32]
  private var runnable: [Int32]
  private var blocked: [Int32] = []
  private var bundles: [Bundle]
  private let isCompact: Bool

  private enum Event {
    case change(time: Int64, from: Int32, state: Int64, to: Int32)
    case waking(time: Int64, thread: Int32, waker: Int32)
  }

  private typealias Bundle = [Event]

  init(using random: inout some RandomNumberGenerator, events: Int, isCompact: Bool) {
    self.isCompact = isCompact
    let processors = Int.random(in: 1...4, using: &random)
    running = Array(repeating: 0, count: processors)
    bundles = Array(repeating: [], count: processors)
    runnable = (0..<Int32.random(in: 1...6, using: &random)).map { 300 + $0 }
    packets.processTree(300, name: "app", threads: Array(runnable.dropFirst()))
    for _ in 0..<events {
      time += Int64.random(in: 1...400, using: &random)
      step(using: &random)
      if Int.random(in: 0..<20, using: &random) == 0 { flush() }
    }
    flush()
  }

  private mutating func step(using random: inout some RandomNumberGenerator) {
    let cpu = Int.random(in: 0..<running.count, using: &random)
    if !blocked.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
      let thread = blocked.remove(at: Int.random(in: 0..<blocked.count, using: &random))
      runnable.append(thread)
      return bundles[cpu].append(.waking(time: time, thread: thread, waker: running[cpu]))
    }
    let previous = running[cpu]
    let next = runnable.isEmpty ? 0 : runnable.remove(at: Int.random(in: 0..<runnable.count, using: &random))
    guard previous != next else { return }
    let state = Int64.random(in: 0...2, using: &random)
    if previous != 0, state == 0 { runnable.append(previous) }
    if previous != 0, state != 0 { blocked.append(previous) }
    running[cpu] = next
    bundles[cpu].append(.change(time: time, from: previous, state: previous == 0 ? 0 : state, to: next))
  }

  private mutating func flush() {
    for (cpu, events) in bundles.enumerated() where !events.isEmpty {
      if isCompact { packets.compact(cpu: UInt64(cpu), Self.columns(events)) } else { writeSingly(events, cpu: cpu) }
    }
    bundles = Array(repeating: [], count: running.count)
  }

  private static func name(_ thread: Int32) -> String { thread == 0 ? "swapper" : "t\(thread)" }

  private mutating func writeSingly(_ events: Bundle, cpu: Int) {
    packets.bundle(
      cpu: UInt64(cpu),
      events.map { event in
        switch event {
        case .change(let time, let from, let state, let to):
          AndroidTrace.schedSwitch(time, from: (from, Self.name(from)), to: (to, Self.name(to)), state: state)
        case .waking(let time, let thread, let waker):
          AndroidTrace.schedWaking(time, thread, Self.name(thread), by: waker)
        }
      })
  }

  private static func columns(_ events: Bundle) -> AndroidTrace.CompactColumns {
    var columns = AndroidTrace.CompactColumns()
    for event in events {
      switch event {
      case .change(let time, _, let state, let to):
        columns.switches.append((time: time, state: state, next: to, name: Self.name(to)))
      case .waking(let time, let thread, _):
        columns.wakings.append((time: time, thread: thread, name: Self.name(thread)))
      }
    }
    return columns
  }
}
