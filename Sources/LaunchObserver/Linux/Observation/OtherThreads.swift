// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// The threads of a process but its first one: when they ran, as reads of /proc/PID/task tell (D313). The process does not
/// notice.
struct OtherThreads {
  /// What is known of one thread.
  struct History {
    /// The last one that it had.
    var name: String
    /// What it did after the last one is not known: the launcher may have looked late.
    var looks: [ProcessorTimes.Look]

    mutating func move(_ moved: (Int64) -> Int64) {
      for row in looks.indices { looks[row].time = moved(looks[row].time) }
    }
  }

  private struct Watched {
    let call: Int32
    var times: ProcessorTimes
    var name: String
    var isRunning = true

    mutating func end() {
      Glibc.close(call)
      times.end()
    }
  }

  private let processID: Int32
  private let folder: String
  /// An open descriptor of /proc/PID/task. The number of its links tells how many threads there are.
  private let directory: Int32
  private var watched: [Int32: Watched] = [:]
  private var ended: [(id: Int32, history: History)] = []
  /// When the threads were last listed.
  private var lastList: Int64

  /// A program may have hundreds of threads. Not more of them are watched at a time, nor kept.
  private static let most = 64
  private static let mostEnded = 4_096

  /// - Parameter start: no other thread existed then, CLOCK_MONOTONIC ns.
  init(processID: Int32, start: Int64) {
    self.processID = processID
    folder = "\(ProcessFiles.folder(processID))/task"
    directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    lastList = start
  }

  /// Checks what each thread does.
  mutating func look() {
    for thread in watched.keys { look(at: thread) }
    if hasNew { list() }
  }

  /// The threads that ran, or waited for a processor, at the last look.
  var running: [Int32] { watched.filter(\.value.isRunning).keys.sorted() }

  /// The launcher may soon hold this thread.
  mutating func willHold(_ thread: Int32) { watched[thread]?.times.willHold() }

  /// The launcher held this thread for this time.
  mutating func held(_ thread: Int32, from start: Int64, to end: Int64, isLate: Bool) {
    watched[thread]?.times.held(from: start, to: end, isLate: isLate)
  }

  /// Keeps what is known so far, and closes the descriptors. A number can be that of several threads, one after the other.
  mutating func end() -> [(id: Int32, history: History)] {
    for thread in watched.keys { close(thread) }
    if directory >= 0 { Glibc.close(directory) }
    return ended
  }

  private mutating func look(at thread: Int32) {
    guard let call = watched[thread]?.call, watched[thread]?.times.staysWaiting(at: Int64(lo_now())) == false else {
      return
    }
    guard let place = CurrentCall.read(call) else { return close(thread) }
    watched[thread]?.isRunning = place.isRunning
    watched[thread]?.times.look(at: Int64(lo_now()), isWaiting: !place.isRunning)
    // A new thread has the name of its creator until it has its own.
    if watched[thread]?.times.hasRun == true, let name = name(of: thread) { watched[thread]?.name = name }
  }

  private mutating func close(_ thread: Int32) {
    guard var last = watched.removeValue(forKey: thread) else { return }
    last.end()
    let looks = last.times.looks
    guard looks.count > 1, ended.count < Self.mostEnded else { return }
    ended.append((thread, History(name: last.name, looks: looks)))
  }

  /// Whether the process has other threads than those that are watched.
  private var hasNew: Bool {
    var status = stat()
    guard directory >= 0, fstat(directory, &status) == 0 else { return false }
    // Two links more than threads, of which one is the first thread.
    return Int(status.st_nlink) - 3 > watched.count && watched.count < Self.most
  }

  private mutating func list() {
    let now = Int64(lo_now())
    let threads = fileNames(in: folder).compactMap { Int32($0) }
    for thread in threads where thread != processID && watched[thread] == nil && watched.count < Self.most {
      let call = CurrentCall.open(thread, of: processID)
      guard call >= 0 else { continue }
      guard let times = ProcessorTimes(thread: thread, of: processID, since: lastList) else {
        Glibc.close(call)
        continue
      }
      watched[thread] = Watched(call: call, times: times, name: name(of: thread) ?? "")
    }
    lastList = now
  }

  private func name(of thread: Int32) -> String? {
    ProcessFiles.name(in: ProcessFiles.folder(ofThread: thread, of: processID))
  }
}
