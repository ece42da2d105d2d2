// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Which threads made the threads of a launch runnable, for the trace: they woke or created them. Includes threads of
/// processes that the trace does not keep.
struct ThreadWakings {
  /// A thread of a process that the trace does not keep.
  struct Stranger: Equatable {
    var threadID: Int32
    var processID: Int32
    var name: String
    var processName: String
  }

  private(set) var byProcessor: [UInt32: [SchedulingWaking]] = [:]
  /// By thread.
  private(set) var strangers: [Int32: Stranger] = [:]

  /// - Parameters:
  ///   - boot: the difference CLOCK_BOOTTIME − CLOCK_MONOTONIC.
  ///   - isKept: decides by process.
  init(_ events: PerfEvents, _ history: ProcessHistory, boot: Int64, isKept: (Int32) -> Bool) {
    var last: [Int32: Int64] = [:]
    for waking in events.wakings {
      guard let process = history.processes[waking.woken], isKept(process) else { continue }
      // The kernel reports a waking twice: as an event of the waker and as one of the woken thread.
      if let time = last[waking.woken], waking.place.time - time < Self.leastDistance { continue }
      last[waking.woken] = waking.place.time
      let waker = waking.isInterrupt ? 0 : waker(waking.place, history, isKept)
      byProcessor[waking.place.processor, default: []].append(
        SchedulingWaking(time: waking.place.time + boot, thread: waking.woken, waker: waker))
    }
    addCreations(events, history, boot: boot, isKept: isKept)
  }

  /// A new thread is runnable from its creation on. The kernel reports no waking for it.
  private mutating func addCreations(
    _ events: PerfEvents, _ history: ProcessHistory, boot: Int64, isKept: (Int32) -> Bool
  ) {
    var processors: Set<UInt32> = []
    for thread in events.threads where !thread.isEnd && thread.creator > 0 && isKept(thread.place.processID) {
      guard let process = history.processes[thread.creator], isKept(process) else { continue }
      byProcessor[thread.place.processor, default: []].append(
        SchedulingWaking(time: thread.place.time + boot, thread: thread.place.threadID, waker: thread.creator))
      processors.insert(thread.place.processor)
    }
    for processor in processors { byProcessor[processor]?.sort { $0.time < $1.time } }
  }

  /// A thread is not made runnable twice within this time, ns.
  private static let leastDistance: Int64 = 1000

  /// The thread to name as the waker; 0 for a kernel thread, which acts for a device or for another thread.
  private mutating func waker(
    _ place: PerfEvents.Occurrence, _ history: ProcessHistory, _ isKept: (Int32) -> Bool
  ) -> Int32 {
    if place.threadID <= 0 || isKept(place.processID) || strangers[place.threadID] != nil {
      return max(0, place.threadID)
    }
    if Descendants.Process(id: place.processID)?.isOfKernel == true { return 0 }
    let name =
      ProcessFiles.name(in: ProcessFiles.folder(ofThread: place.threadID, of: place.processID))
      ?? history.names[place.threadID]
    let processName =
      ProcessFiles.name(in: ProcessFiles.folder(place.processID)) ?? history.names[place.processID]
    strangers[place.threadID] = Stranger(
      threadID: place.threadID, processID: place.processID, name: name ?? "", processName: processName ?? name ?? "")
    return place.threadID
  }
}
