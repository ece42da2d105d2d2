// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// A launch of a random kind, as a recorder, an observer and a launcher could have seen it.
///
/// Its parts contradict each other only as those of real traces do: data is lost, threads have no turns, programs are killed,
/// and milestones come at odd times. A mutated file hardly ever has such a launch in it.
package struct RandomLaunch {
  var launch = SampleLaunch()
  var random: RandomChoices
  /// Of the launched program, the first one first.
  var threads: [TrackID]
  /// The ids of `threads`.
  var threadIDs: [Int32]
  /// Threads of other programs, and of child processes.
  var others: [TrackID] = []

  package init(seed: UInt64) {
    random = RandomChoices(seed: seed)
    threads = [launch.main]
    threadIDs = [launch.processID]
    addThreads()
    addFacts()
    addMilestones()
    addLoading()
    for thread in threads { addSpans(to: thread) }
    addLanes()
    if random.chance(80) { addScheduling() }
    if random.chance(70) { addStacks() }
    addPoints()
    addCounters()
  }

  package consuming func trace() -> Trace {
    let truncated = random.chance(5)
    var trace = launch.trace()
    if truncated { trace.statistics.truncated = true }
    return trace
  }

  /// The trace of a seed.
  package static func trace(seed: UInt64) -> Trace { RandomLaunch(seed: seed).trace() }

  private mutating func addThreads() {
    for number in 0..<Int32(random.count(0...4)) {
      let id = launch.processID + 1 + number
      threadIDs.append(id)
      threads.append(launch.thread(id, name: random.pick(["worker", "pool", "com.apple.queue", ""])))
    }
    for number in 0..<Int32(random.count(0...2)) {
      let process = 9000 + number * 10
      _ = launch.builder.process(process, name: random.pick(["child", "sh", "notes-server"]))
      others.append(launch.builder.thread(process, ofProcess: process, name: "child"))
      if random.chance(30) { others.append(launch.builder.thread(process + 1, ofProcess: process, name: "helper")) }
    }
  }

  /// Counters of the program.
  private mutating func addCounters() {
    for _ in 0..<random.count(0...2) where random.chance(50) {
      let values = (0..<random.count(1...20)).map { _ in random.pick([0, 1, 0.5, 1e6, 12_345_678] as [Double]) }
      launch.counter(
        random.pick(["memory", "files"]), unit: random.pick(["count", "bytes", ""]),
        every: max(1, random.length / Int64(random.count(1...20))), values)
    }
  }

  /// The launched program's threads, and sometimes one of another program.
  mutating func anyThread() -> TrackID {
    !others.isEmpty && random.chance(15) ? random.pick(others) : random.pick(threads)
  }
}
