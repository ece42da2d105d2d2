// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// What an observer adds to a trace: stacks of running threads, and when threads had a processor.
extension SyntheticTrace {
  private static let observer: UInt32 = 100
  private static let functions = 4_000
  private static let deepest = 24

  /// Writes one sample for five slices and one switch for two, over all threads, at the times of the slices.
  ///
  /// - Parameter latest: where the slices end, ns.
  func writeObservation(to file: OutputFile, _ writer: inout PerfettoTraceWriter, latest: Int64) throws {
    let span = max(1, latest - Self.origin)
    writer.startSequence(Self.observer, track: 2, samplePeriod: max(2, span / Int64(max(1, samples / Self.threads))))
    try writeSwitches(to: file, &writer, span: span)
    try writeSamples(to: file, &writer, span: span)
  }

  private var samples: Int { slices / 5 }
  private var switches: Int { slices / 2 }

  /// Each thread has its own processor, and alternately sleeps and is preempted.
  private func writeSwitches(to file: OutputFile, _ writer: inout PerfettoTraceWriter, span: Int64) throws {
    let each = switches / Self.threads
    for thread in 0..<Self.threads {
      let number = Int32(1000 + thread)
      let names = [number: "thread \(thread)"]
      for first in stride(from: 0, to: each, by: 4096) {
        let changes = (first..<min(first + 4096, each)).map { change in
          let time = Self.origin + Int64(change + 1) * span / Int64(each + 1)
          return change % 2 == 0
            ? SchedulingSwitch(time: time, previous: number, previousState: change % 8 == 0 ? 0 : 1, next: 0)
            : SchedulingSwitch(time: time, previous: 0, previousState: 0, next: number)
        }
        writer.switches(sequence: Self.observer, processor: UInt32(thread), changes, names: names)
        try flush(&writer, to: file)
      }
    }
  }

  /// Stacks that share their outer frames, like those of a real program.
  private func writeSamples(to file: OutputFile, _ writer: inout PerfettoTraceWriter, span: Int64) throws {
    var random = RandomNumbers()
    let frames = (0..<Self.functions).map { function in
      StackFrame(
        function: "AppModule.Worker.step_\(function)(_:)", image: "/usr/local/bin/app", buildID: "0123456789abcdef",
        address: UInt64(4096 + function * 64))
    }
    var stack = [frames[0]]
    for sample in 0..<samples {
      // The next sample of a working thread is a few calls away.
      let kept = max(1, stack.count - Int(random.next(below: 4)))
      stack.removeLast(stack.count - min(kept, stack.count))
      while stack.count < Self.deepest, random.next(below: 3) > 0 {
        stack.append(frames[(stack.count * 97 + Int(random.next(below: 40))) % frames.count])
      }
      let number = Int32(1000 + sample % Self.threads)
      writer.sample(
        sequence: Self.observer, time: Self.origin + Int64(sample + 1) * span / Int64(samples + 1), processID: 1000,
        threadID: number, cpu: UInt32(sample % Self.threads), frames: stack)
      try flush(&writer, to: file)
    }
  }
}
