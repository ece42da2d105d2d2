// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Testing

@testable import LaunchObserver

/// The formats of the scheduler's tracepoints in tracefs, and how their records are read.
struct TracepointTests {
  private static let common = """
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

    """

  private static let switching = """
    name: sched_switch
    ID: 372
    format:
    \(common)
    \tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
    \tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
    \tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;
    \tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;

    print fmt: "prev_comm=%s prev_pid=%d prev_state=%s; offset:99;", REC->prev_comm, REC->prev_pid

    """

  private static let waking = """
    name: sched_waking
    ID: 375
    format:
    \(common)
    \tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;
    \tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;

    """

  @Test func fieldsAreWhereTheKernelSays() throws {
    let change = try #require(Tracepoint(format: Self.switching))
    #expect(change.id == 372)
    #expect(change.fields["prev_state"] == Tracepoint.Field(offset: 32, size: 8))
    #expect(change.fields["prev_pid"] == Tracepoint.Field(offset: 24, size: 4))
    #expect(change.fields["prev_comm[16]"] == nil)
    let tracepoints = SchedulerTracepoints(
      switch: change, waking: try #require(Tracepoint(format: Self.waking)))
    #expect(tracepoints?.wakingID == 375)
    #expect(tracepoints?.flags == Tracepoint.Field(offset: 2, size: 1))
  }

  /// A later kernel may order or name the fields differently.
  @Test func otherFormsAreNotGuessed() throws {
    let waking = try #require(Tracepoint(format: Self.waking))
    func isKnown(_ format: String) -> Bool {
      Tracepoint(format: format).flatMap { SchedulerTracepoints(switch: $0, waking: waking) } != nil
    }
    #expect(isKnown(Self.switching))
    #expect(isKnown(Self.switching.replacing("offset:32", with: "offset:48")))
    #expect(!isKnown(Self.switching.replacing("prev_state", with: "old_state")))
    #expect(!isKnown(Self.switching.replacing("ID: 372", with: "ID: many")))
    #expect(!isKnown(Self.switching.replacing("size:8", with: "size:7")))
    #expect(!isKnown(Self.switching.replacing("offset:32", with: "offset:-8")))
    #expect(!isKnown(Self.switching.replacing("offset:32", with: "offset:99999999999999999999")))
    #expect(!isKnown(""))
    #expect(Tracepoint("sched/no_such_tracepoint", in: ["/sys/kernel/tracing"]) == nil)
  }

  // MARK: Records

  private func record(_ id: UInt64, thread: Int32, _ time: UInt64, _ raw: [UInt8], size: UInt32? = nil) -> [UInt8] {
    var body: [UInt8] = []
    func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { body += $0 } }
    add(id)
    add(Int32(100))
    add(thread)
    add(time)
    add(UInt64(1))
    add(size ?? UInt32(raw.count))
    body += raw
    body += [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
    var bytes: [UInt8] = []
    withUnsafeBytes(of: UInt32(9)) { bytes += $0 }
    withUnsafeBytes(of: UInt16(1)) { bytes += $0 }
    withUnsafeBytes(of: UInt16(body.count + 8)) { bytes += $0 }
    return bytes + body
  }

  private func raw(_ count: Int, _ fields: [(offset: Int, bytes: [UInt8])]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    for field in fields { bytes.replaceSubrange(field.offset..<field.offset + field.bytes.count, with: field.bytes) }
    return bytes
  }

  private func events(_ records: [[UInt8]]) throws -> PerfEvents {
    var log = PerfLog()
    log.events = [
      7: lo_perf_event(id: 7, kind: LO_PERF_SWITCH, address: 0),
      8: lo_perf_event(id: 8, kind: LO_PERF_WAKING, address: 0),
    ]
    log.scheduler = SchedulerTracepoints(
      switch: try #require(Tracepoint(format: Self.switching)), waking: try #require(Tracepoint(format: Self.waking)))
    records.flatMap(\.self).withUnsafeBytes { log.append($0, ring: 0) }
    return PerfEvents(log)
  }

  /// In a container, thread 100 may have the kernel's number 5,100: 0x13ec.
  @Test func wakingsAreOfOurNumbers() throws {
    let left = raw(64, [(24, [0xec, 0x13, 0, 0]), (32, [2, 0, 0, 0])])
    let woken = raw(40, [(2, [0]), (24, [0xec, 0x13, 0, 0])])
    let byInterrupt = raw(40, [(2, [0x08]), (24, [0xec, 0x13, 0, 0])])
    let other = raw(40, [(2, [0]), (24, [0xed, 0x13, 0, 0])])
    let events = try events([
      record(7, thread: 100, 1_000, left), record(8, thread: 200, 2_000, woken),
      record(8, thread: 0, 3_000, byInterrupt), record(8, thread: 200, 4_000, other),
    ])
    #expect(events.departures.map(\.state) == [2])
    #expect(events.departures.map(\.place.threadID) == [100])
    #expect(events.wakings.map(\.woken) == [100, 100])
    #expect(events.wakings.map(\.isInterrupt) == [false, true])
    #expect(events.wakings.map(\.place.threadID) == [200, 0])
  }

  @Test func brokenRecordsArePassedOver() throws {
    let left = raw(64, [(24, [100, 0, 0, 0]), (32, [1, 0, 0, 0])])
    let events = try events([
      record(7, thread: 100, 1_000, Array(left.prefix(34))), record(7, thread: 100, 2_000, [], size: .max),
      record(9, thread: 100, 3_000, left), record(7, thread: 100, 4_000, left, size: .max),
    ])
    #expect(events.departures.map(\.place.time) == [4_000])
  }
}
