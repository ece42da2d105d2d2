// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What the kernel saw of the threads.
extension RandomLaunch {
  /// A stop is rare, because a launch that was stopped does not count.
  private static let leaves: [SwitchKind] =
    [.stopped] + [.preempted, .sleeping, .sleeping, .sleeping, .uninterruptible].flatMap { [$0, $0, $0, $0] }

  mutating func addScheduling() {
    for thread in threads + others where random.chance(80) { addTurns(of: thread) }
    for _ in 0..<random.count(0...12) {
      let waker = random.chance(30) ? nil : anyThread()
      launch.wakeup(at: random.anyTime(), of: random.chance(60) ? launch.main : anyThread(), by: waker)
    }
    for _ in 0..<random.count(0...10) { addLook() }
    for _ in 0..<random.count(0...4) where random.chance(30) {
      launch.fault(at: random.anyTime(), path: random.pick(["/usr/bin/notes-server", "/lib/libx.so", ""]))
    }
  }

  /// Alternates between a processor and none; some records are lost.
  private mutating func addTurns(of thread: TrackID) {
    // A thread that was made late, or ended early.
    let life = random.chance(50) ? 0...random.length + random.length / 5 : random.part(of: 0...random.length)
    var runs = random.chance(30)
    for time in random.times(random.count(1...16), in: life) {
      runs.toggle()
      if random.chance(4) { continue }
      let kind = runs ? SwitchKind.switchedIn : random.pick(Self.leaves)
      launch.switched(.init(kind, at: time, on: thread, cpu: random.count(0...2)))
      if !runs {
        if random.chance(40) { launch.look("futex", at: time + 1, awaited: random.pick(threadIDs), on: thread) }
        if random.chance(30) { addWaitStack(of: thread, at: time) }
      }
    }
    if random.chance(30) { launch.switched(.init(.exited, at: life.upperBound, on: thread)) }
  }

  private static let systemCalls = [
    "futex", "read", "openat", "poll", "epoll_wait", "clock_nanosleep", "wait4", "select", "page-fault", "connect",
    "vfork", "clone3", "fsync", "execve", "recvfrom", "accept4", "",
  ]
  private static let paths = [
    "/srv/data", "pipe:[4711]", "fifo:answers", "name-server:192.0.2.1", "timeout", "socket:[17]", "/dev/tty", "",
  ]

  private mutating func addLook() {
    let ids = threadIDs + [9000, 77, launch.processID]
    launch.look(
      random.pick(Self.systemCalls), at: random.anyTime(), state: random.pick(["S", "S", "D"]),
      path: random.chance(40) ? random.pick(Self.paths) : nil, owner: random.chance(25) ? random.pick(ids) : nil,
      awaited: random.chance(25) ? random.pick(ids) : nil, isTimed: random.chance(30) ? random.chance(50) : nil,
      remaining: random.chance(20) ? random.anyTime() : nil, on: random.chance(70) ? launch.main : anyThread())
  }
}
