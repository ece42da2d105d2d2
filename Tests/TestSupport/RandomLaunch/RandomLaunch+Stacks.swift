// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Stack samples, and the stacks of threads that begin to wait.
extension RandomLaunch {
  private typealias Frame = SampleLaunch.Frame

  private static let outer: [[Frame]] = [["_start", "main"], ["start_thread"], ["main"], []]
  private static let inner: [Frame] = [
    "app.start()", "app.load()", Frame("parse()", file: "/src/Parse.swift", line: 7),
    Frame("inflate", image: "/lib/libz.so"),
    Frame("Foundation.DateFormatter.init()", image: "/opt/libFoundation.so"), Frame("swift_conformsToProtocol"),
    Frame("_dl_relocate_object", image: "/lib64/ld-linux-x86-64.so.2"), Frame("", image: "", address: 0x1234),
    Frame("swift_job_run"), Frame("$s3app5ModelV4loadyyF"), Frame("clock_nanosleep", image: "/lib/libc.so.6"),
  ]

  /// Functions that go on over every boundary of the launch.
  mutating func addStacks() {
    for _ in 0..<random.count(1...8) {
      let part = random.part(of: -random.length / 10...random.length + random.length / 3)
      let longest = part.upperBound - part.lowerBound
      let period = max(1, longest / Int64(random.count(1...20)))
      launch.samples(
        stack(), from: part.lowerBound, to: part.upperBound, every: period,
        on: random.chance(70) ? launch.main : anyThread())
    }
    for _ in 0..<random.count(0...4) { addWaitStack(of: anyThread(), at: random.anyTime()) }
  }

  mutating func addWaitStack(of thread: TrackID, at time: Int64) { launch.waitStack(stack(), at: time, on: thread) }

  private mutating func stack() -> [Frame] {
    if random.chance(5) { return [] }
    return random.pick(Self.outer) + (0..<random.count(0...4)).map { _ in random.pick(Self.inner) }
  }
}
