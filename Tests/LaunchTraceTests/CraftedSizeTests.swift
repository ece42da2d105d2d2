// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import Testing

@testable import LaunchTrace

/// Files that say much in a few bytes: what the reader keeps of them stays near their size.
@Suite struct CraftedSizeTests {
  /// A profile of pprof with the locations 1 and 2, whose addresses are the same numbers. It has no sample yet.
  private func profileOfTwoLocations() -> ProtobufWriter {
    var profile = ProtobufWriter()
    profile.bytes(6, UnsafeRawBufferPointer(start: nil, count: 0))
    profile.message(1) { $0.varint(1, 0) }
    for id: UInt64 in 1...2 {
      profile.message(4) { location in
        location.varint(1, id)
        location.varint(3, id)
      }
    }
    return profile
  }

  /// Rows of the same frames, below different callers: the frames are there once.
  @Test func rowsOfStacksShareTheirFrames() throws {
    var profile = profileOfTwoLocations()
    for bits in 0..<1_024 {
      profile.message(2) { sample in
        for place in 0..<10 { sample.varint(1, UInt64(bits >> place & 1 + 1)) }
        sample.varint(2, 1)
      }
    }
    let trace = try Trace(reading: profile.bytes)
    #expect(trace.stacks.count == 2_046 && trace.stacks.frames.count == 2)
    #expect(Set(trace.samples.stack).count == 1_024)
    #expect((0..<trace.stacks.count).allSatisfy { (1...2).contains(trace.stacks[$0].address) })
  }

  @Test func aCutStackKeepsItsCallers() {
    var builder = TraceBuilder(format: .pprof)
    let places = ["a", "b"].compactMap { builder.place(of: StackTable.Frame(function: builder.string($0))) }
    builder.mostFrames = 2
    let outer = builder.row(of: places[0], below: -1) ?? -1
    let inner = builder.row(of: places[1], below: outer) ?? -1
    let (cut, known) = (builder.row(of: places[0], below: inner), builder.row(of: places[1], below: outer))
    #expect(cut == nil && known == inner)
    #expect(builder.trace.stacks.count == 2 && builder.trace.statistics.cutStacks == 1)
  }

  /// A sample that lists millions of locations: no more of them are kept than a stack has.
  @Test func aLongSampleKeepsItsOutermostFrames() throws {
    var profile = profileOfTwoLocations()
    profile.message(2) { sample in
      for _ in 0..<100_000 { sample.varint(1, 1) }
      sample.varint(1, 2)
      sample.varint(2, 1)
    }
    let trace = try Trace(reading: profile.bytes)
    #expect(trace.stacks.count == StackInterning.longestStack && trace.stacks[0].address == 2)
  }

  // MARK: Tracks

  /// Events of ten bytes, each on a track of its own.
  @Test(.smallerLimits) func tracksAreBounded() throws {
    var packets = ProtobufWriter()
    let many = TraceLimits.tracks(bytes: 0) + 1_000
    for track in 0..<many {
      packets.message(1) { packet in
        packet.varint(8, UInt64(track))
        packet.message(11) { event in
          event.varint(9, 3)
          event.varint(11, UInt64(track + 1))
        }
      }
    }
    let trace = try Trace(reading: packets.bytes)
    #expect(trace.tracks.count < many && trace.tracks.count == trace.instants.count)
    #expect(trace.instants.count + trace.statistics.untracked == many)
    #expect(trace.tracks.count <= TraceLimits.tracks(bytes: packets.bytes.count))
    #expect(MemoryLayout<Track>.stride <= 40 && MemoryLayout<TraceBuilder.Lane>.stride <= 24)
  }

  @Test(.smallerLimits) func descriptorsOfManyTracksAreBounded() throws {
    var packets = ProtobufWriter()
    let many = TraceLimits.tracks(bytes: 0) + 2_000
    for track in 0..<many {
      packets.message(1) { $0.message(60) { $0.varint(1, UInt64(track + 1)) } }
    }
    let trace = try Trace(reading: packets.bytes)
    #expect(trace.statistics.skipped["descriptors of more tracks than a file of its size has"] ?? 0 > 1_000)
    #expect(trace.tracks.isEmpty && MemoryLayout<TrackDescriptors.Described>.stride <= 32)
  }

  // MARK: Threads

  /// Each event has a process of its own, with its main thread.
  @Test(.smallerLimits) func processesAreBounded() throws {
    let many = TraceLimits.threads(bytes: 0)
    let events = (1...many).map { #"{"ph":"X","ts":\#($0),"dur":1,"pid":\#($0),"name":"a"}"# }
    let text = "[" + events.joined(separator: ",") + "]"
    let trace = try Trace(reading: Array(text.utf8))
    #expect(trace.tracks.count <= TraceLimits.threads(bytes: text.utf8.count) + 1)
    #expect(trace.slices.count >= many / 2 && trace.slices.count + trace.statistics.untracked == many)
    #expect(trace.processes.count < many && TraceInvariants.violations(trace).isEmpty)
  }

  /// Samples of `perf script`, each on another thread.
  @Test(.smallerLimits) func threadsOfSamplesAreBounded() throws {
    let many = TraceLimits.threads(bytes: 0) + 1_000
    let text = (1...many).map { "a 1/\($0) 1.\(100_000 + $0): 1 cpu-clock:\n\t1 b (c)\n\n" }.joined()
    let trace = try Trace(reading: Array(text.utf8))
    #expect(trace.samples.count < many && trace.samples.count + trace.statistics.untracked == many)
    #expect(trace.tracks.count <= TraceLimits.threads(bytes: text.utf8.count) + 1)
  }

  /// Each switch is to another thread. Its track is found after all packets are read.
  @Test(.smallerLimits) func threadsOfTheKernelAreBounded() throws {
    let many = TraceLimits.threads(bytes: 0) + 2_000
    var android = AndroidTrace()
    android.bundle(
      cpu: 0,
      (1...many).map {
        AndroidTrace.schedSwitch(6_000 + Int64($0), from: (Int32($0 - 1), ""), to: (Int32($0), ""))
      })
    let trace = try android.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.tracks.count <= TraceLimits.threads(bytes: android.bytes.count) + 1)
    #expect(trace.statistics.untracked > 1_000 && trace.switches.count > 2_000)
    #expect(trace.switches.track.allSatisfy { trace.tracks[Int($0)].kind == .thread })
  }

  // MARK: Phases

  /// A report makes several tables of phases, with an entry for the time between two of them.
  @Test(.smallerLimits) func phasesAreBounded() throws {
    let many = TraceLimits.phases(bytes: 0) + 2_000
    let events = (1...many).map { row in
      let category = row.isMultiple(of: 2) ? "launchprof.phase" : "launchprof.initializer"
      return #"{"ph":"X","ts":\#(row),"dur":1,"cat":"\#(category)","name":"a"}"#
    }
    let text = "[" + (events + [#"{"ph":"X","ts":1,"dur":\#(many),"name":"b"}"#]).joined(separator: ",") + "]"
    let trace = try Trace(reading: Array(text.utf8))
    let kept = TraceLimits.phases(bytes: text.utf8.count)
    #expect(kept < many && trace.statistics.ignored == ["phases beyond the first \(kept)": many - kept])
    #expect(trace.slices.count == kept + 1 && TraceInvariants.violations(trace).isEmpty)
  }

  // MARK: Scheduling

  /// Compact events take a byte or two of the file. They go straight into the tables, and wait for nothing.
  @Test func schedulingIsNotDeferred() throws {
    let many = 10_000
    var columns = AndroidTrace.CompactColumns()
    for row in 0..<many {
      columns.switches.append((time: 6_000 + Int64(row), state: 1, next: Int32(1 + row % 2), name: "a"))
      columns.wakings.append((time: 6_000 + Int64(row), thread: 3, name: "a"))
    }
    var android = AndroidTrace()
    android.compact(cpu: 0, columns)
    var reader = PerfettoReader(mode: .direct)
    try android.bytes.withUnsafeBytes { try reader.readPackets(TraceInput(memory: $0, path: "")) }
    // The names of two threads that run, and of one that is woken.
    #expect(reader.deferred.count <= 3)
    let trace = reader.finish()
    #expect(trace.switches.count == 2 * (many - 1) && trace.wakeups.count == many)
    #expect(trace.tracks.map(\.threadID).sorted() == [1, 2, 3])
    #expect(Set(trace.wakeups.track.map { trace.tracks[Int($0)].threadID }) == [3])
    #expect(Set(trace.switches.track.map { trace.tracks[Int($0)].threadID }) == [1, 2])
  }

  /// An id is that of one thread after the other: the track of a switch depends on the events before it in time.
  @Test func switchesAreOfTheThreadOfTheirTime() throws {
    func ofThread(_ time: Int64, _ field: Int, _ id: Int, _ name: Int) -> AndroidTrace.Event {
      (
        time, 0,
        { event in
          event.message(field) {
            $0.varint(id, 101)
            $0.string(name, "worker")
          }
        }
      )
    }
    var android = AndroidTrace()
    android.bundle(cpu: 0, [AndroidTrace.schedSwitch(9_000, from: (0, "swapper"), to: (101, "worker"))])
    android.bundle(
      cpu: 1,
      [
        AndroidTrace.schedWaking(8_500, 101, "worker", by: 7),
        AndroidTrace.schedSwitch(6_000, from: (0, "swapper"), to: (101, "worker")),
        AndroidTrace.schedSwitch(7_000, from: (101, "worker"), to: (0, "swapper")),
        ofThread(7_000, 240, 2, 1), ofThread(8_000, 235, 1, 2),
      ])
    let trace = try android.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.switches.time.map { $0 - 6_000 } == [0, 1_000, 3_000])
    #expect(trace.switches.track[0] == trace.switches.track[1] && trace.switches.track[1] != trace.switches.track[2])
    #expect(trace.wakeups.track == [trace.switches.track[2]])
    #expect(trace.tracks.filter { $0.threadID == 101 }.count == 2)
  }
}
