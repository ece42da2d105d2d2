// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@Suite struct SchedulingTests {
  private static func switches(_ trace: Trace) -> [String] {
    (0..<trace.switches.count).map { row in
      let thread = trace.tracks[Int(trace.switches.track[row])].threadID
      return "\(trace.switches.time[row]) \(thread) \(trace.switches.kind[row]) \(trace.switches.cpu[row])"
    }
  }

  private static func wakeups(_ trace: Trace) -> [String] {
    (0..<trace.wakeups.count).map { row in
      let waker = trace.wakeups.waker[row]
      return "\(trace.wakeups.time[row]) \(trace.tracks[Int(trace.wakeups.track[row])].threadID) by "
        + (waker < 0 ? "nobody" : "\(trace.tracks[Int(waker)].threadID)")
    }
  }

  private static func read(_ trace: AndroidTrace) throws -> Trace {
    try trace.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  @Test func switchesAndWakeupsAreRows() throws {
    var android = AndroidTrace()
    android.processTree(100, name: "app", threads: [101])
    android.bundle(
      cpu: 1,
      [
        AndroidTrace.schedSwitch(6_000, from: (0, "swapper"), to: (100, "app"), state: 0),
        AndroidTrace.schedWaking(6_050, 101, "worker", by: 100),
        AndroidTrace.schedSwitch(6_100, from: (100, "app"), to: (101, "worker"), state: 2),
        AndroidTrace.schedSwitch(6_300, from: (101, "worker"), to: (0, "swapper"), state: 0x10),
      ])
    // In the file, its events come after later ones of another processor.
    android.bundle(
      cpu: 0,
      [
        AndroidTrace.schedWaking(6_150, 100, "app", by: 0),
        AndroidTrace.schedSwitch(6_200, from: (0, "swapper"), to: (100, "app"), state: 0),
        AndroidTrace.schedSwitch(6_250, from: (100, "app"), to: (0, "swapper"), state: 0x100),
      ])
    let trace = try Self.read(android)
    #expect(trace.diagnostics.isEmpty)
    #expect(
      Self.switches(trace) == [
        "6000 100 switchedIn 1", "6100 100 uninterruptible 1", "6100 101 switchedIn 1", "6200 100 switchedIn 0",
        "6250 100 preempted 0", "6300 101 exited 1",
      ])
    #expect(Self.wakeups(trace) == ["6050 101 by 100", "6150 100 by nobody"])
    #expect(trace.tracks.filter { $0.threadID == 101 }.map { trace.strings[$0.name] } == ["worker"])
  }

  @Test func statesAreThoseOfTheKernel() {
    let states: [(Int64, SwitchKind)] = [
      (0, .preempted), (0x100, .preempted), (0x800, .preempted), (1, .sleeping), (2, .uninterruptible),
      (0x82, .uninterruptible), (0x102, .uninterruptible), (4, .stopped), (8, .stopped), (0x10, .exited),
      (0x20, .exited), (0x80, .sleeping),
    ]
    for (state, kind) in states {
      var android = AndroidTrace()
      android.bundle(cpu: 0, [AndroidTrace.schedSwitch(6_000, from: (7, "a"), to: (0, "swapper"), state: state)])
      #expect((try? Self.read(android))?.switches.kind == [kind], "\(state)")
    }
  }

  @Test func compactSwitchesFollowTheirProcessor() throws {
    var android = AndroidTrace()
    var columns = AndroidTrace.CompactColumns()
    columns.switches = [(6_000, 0, 100, "app"), (6_100, 1, 0, "swapper"), (6_300, 0, 100, "app")]
    columns.wakings = [(6_050, 101, "worker"), (6_200, 100, "app")]
    android.compact(cpu: 3, columns)
    let trace = try Self.read(android)
    // It is unknown which thread left the processor at the first switch.
    #expect(Self.switches(trace) == ["6100 100 sleeping 3", "6300 100 switchedIn 3"])
    #expect(Self.wakeups(trace) == ["6050 101 by 100", "6200 100 by nobody"])
    #expect(trace.statistics.skipped == ["first compact switches of a processor": 1])
  }

  /// In the file, a descriptor comes before the kernel's events, and it has no time.
  @Test func aThreadThatIsDescribedAndThatBeginsIsOne() throws {
    var packets = ProtobufWriter()
    packets.message(1) { packet in
      packet.message(60) { track in
        track.varint(1, 77)
        track.message(4) {
          $0.varint(1, 100)
          $0.varint(2, 101)
        }
      }
    }
    func event(_ bundle: inout ProtobufWriter, _ time: Int64, _ field: Int, _ body: (inout ProtobufWriter) -> Void) {
      bundle.message(2) { event in
        event.signed(1, time)
        event.message(field, body)
      }
    }
    packets.message(1) { packet in
      packet.message(1) { bundle in
        event(&bundle, 5_000, 235) {
          $0.varint(1, 101)
          $0.string(2, "worker")
        }
        event(&bundle, 6_000, 4) {
          $0.string(5, "worker")
          $0.varint(6, 101)
        }
        // The same thread ID is used again.
        event(&bundle, 7_000, 240) { $0.varint(2, 101) }
        event(&bundle, 8_000, 235) {
          $0.varint(1, 101)
          $0.string(2, "another")
        }
      }
    }
    let trace = try packets.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let threads = trace.tracks.filter { $0.threadID == 101 }
    #expect(threads.map { trace.strings[$0.name] } == ["worker", "another"])
    #expect(threads.first?.processID == 100)
    #expect(trace.switches.track.map { trace.tracks[Int($0)].threadID } == [101])
  }

  @Test func namesFollowRenamesWhateverTheOrderOfTheFile() throws {
    var android = AndroidTrace()
    android.bundle(
      cpu: 0,
      [
        AndroidTrace.schedSwitch(6_000, from: (0, "swapper"), to: (100, "old"), state: 0),
        AndroidTrace.schedSwitch(6_900, from: (100, "old"), to: (0, "swapper"), state: 0),
      ])
    android.bundle(
      cpu: 1, [AndroidTrace.schedSwitch(6_500, from: (0, "swapper"), to: (100, "between"), state: 0)])
    let trace = try Self.read(android)
    #expect(trace.tracks.filter { $0.threadID == 100 }.map { trace.strings[$0.name] } == ["old"])
  }

  /// Turns on a processor as in `sched`, and wake-ups as in `thread_state`.
  @Test(arguments: [false, true]) func schedulesReadAsInTraceProcessor(isCompact: Bool) throws {
    var random = SeededGenerator()
    let directory = try TemporaryDirectory()
    let paths = try (0..<6).map { index in
      let events = Int.random(in: 1...400, using: &random)
      let schedule = RandomSchedule(using: &random, events: events, isCompact: isCompact)
      return try directory.write(schedule.packets.bytes, to: "\(index).pftrace")
    }
    let turns = """
      select s.ts, s.cpu, t.tid, s.dur, coalesce(s.end_state, '') from sched s join thread t using (utid)
      where t.tid != 0
      """
    let wakeups = """
      select s.ts, t.tid, w.tid from thread_state s join thread t using (utid) join thread w on w.utid = s.waker_utid
      where s.state = 'R'
      """
    for answer in try TraceProcessor.query(paths: paths, sql: [turns, wakeups]) {
      let trace = try TraceReader().read(path: answer.path)
      #expect(answer.rows[0].map { $0.joined(separator: "|") }.sorted() == Self.turns(trace), "seed \(random.seed)")
      let ours = Set(Self.wakeups(trace))
      let theirs = answer.rows[1].map { "\($0[0]) \($0[1]) by \($0[2] == "0" ? "nobody" : $0[2])" }
      #expect(theirs.allSatisfy(ours.contains), "seed \(random.seed)")
      #expect(isCompact || theirs.count == ours.count, "seed \(random.seed)")
    }
  }

  /// As in `sched`: the duration of a turn that is not over is -1.
  private static func turns(_ trace: Trace) -> [String] {
    let letters: [SwitchKind: String] = [.preempted: "R", .sleeping: "S", .uninterruptible: "D"]
    var open: [Int32: (time: Int64, cpu: UInt16)] = [:]
    var turns: [String] = []
    for row in 0..<trace.switches.count {
      let (track, kind, cpu) = (trace.switches.track[row], trace.switches.kind[row], trace.switches.cpu[row])
      if kind == .switchedIn {
        open[track] = (trace.switches.time[row], cpu)
      } else if let turn = open.removeValue(forKey: track) {
        let thread = trace.tracks[Int(track)].threadID
        turns.append(
          "\(turn.time)|\(turn.cpu)|\(thread)|\(trace.switches.time[row] - turn.time)|\(letters[kind] ?? "?")")
      }
    }
    for (track, turn) in open { turns.append("\(turn.time)|\(turn.cpu)|\(trace.tracks[Int(track)].threadID)|-1|") }
    return turns.sorted()
  }
}
