// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The tracks of processes and threads: the recorder's where it has described them, otherwise ours.
struct ObservedTracks {
  private struct Thread: Hashable {
    var thread: Int32
    var process: Int32
  }

  private var threads: [Thread: UInt64] = [:]
  private var processes: [Int32: UInt64] = [:]
  private var described: Set<UInt64> = []

  /// - Parameters:
  ///   - recorded: the trace that ours is appended to.
  ///   - launchedTrack: the track of the launched process, which the launcher's own packets describe.
  init(recorded: Trace?, launched: Int32, launchedTrack: UInt64) {
    for process in recorded?.processes ?? [] {
      guard let uuid = process.uuid else { continue }
      processes[process.processID] = uuid
      described.insert(uuid)
    }
    for track in recorded?.tracks ?? [] {
      guard track.kind == .thread, let uuid = track.uuid else { continue }
      threads[Thread(thread: track.threadID, process: track.processID)] = uuid
      described.insert(uuid)
    }
    processes[launched] = launchedTrack
    described.insert(launchedTrack)
  }

  func process(_ process: Int32) -> UInt64 { processes[process] ?? Self.own(process, 0x7fff_fffe) }

  func thread(_ thread: Int32, of process: Int32) -> UInt64 {
    threads[Thread(thread: thread, process: process)] ?? Self.own(thread, ObservedTrace.sequence)
  }

  /// The track of a process if it is not described yet.
  mutating func newProcess(_ id: Int32) -> UInt64? { new(process(id)) }

  mutating func newThread(_ id: Int32, of process: Int32) -> UInt64? { new(thread(id, of: process)) }

  private mutating func new(_ uuid: UInt64) -> UInt64? { described.insert(uuid).inserted ? uuid : nil }

  private static func own(_ id: Int32, _ sequence: UInt32) -> UInt64 {
    UInt64(sequence) << 32 | UInt64(UInt32(bitPattern: id))
  }
}
