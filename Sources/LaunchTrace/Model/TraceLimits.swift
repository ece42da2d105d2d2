// SPDX-License-Identifier: Apache-2.0

/// Limits of every trace, so that no sum over a launch overflows 64 bits.
///
/// `TraceBuilder.finish` drops and counts everything beyond them, so that later code need not check.
package enum TraceLimits {
  /// Times are within ± this, ns. Counted from 1970, this is the year 2043.
  package static let time: Int64 = 1 << 61
  /// The weights of all samples together.
  package static let weight: Int64 = 1 << 52
  /// The durations of all slices together, ns.
  package static let work: Int64 = 1 << 60
  /// The largest number that an annotation gives to the analysis.
  package static let number: Int64 = 1 << 52
  /// The largest number of calls, and the largest cost of a call (ns, 17 ms), that an annotation gives to the analysis.
  package static let calls: Int64 = 1 << 32
  package static let callCost: Int64 = 1 << 24

  #if DEBUG
  /// By how many bits the limits of small files and of lists are smaller. Then tests need nothing large to reach them.
  package static let smaller = TaskLocal(wrappedValue: 0)

  package static func least(_ bits: Int) -> Int { 1 << (bits - smaller.get()) }
  #else
  package static func least(_ bits: Int) -> Int { 1 << bits }
  #endif

  /// The most rows of stacks that a file of some bytes may have. Some formats list a frame in one byte, and a row takes
  /// 32 bytes until the report is made. In real traces, a new row comes with 20 bytes or more.
  static func frames(bytes: Int) -> Int { least(18) + bytes / 16 }

  /// The most nodes of stacks that a file of some bytes may list as JSON, and the most markers of Firefox. A node takes about 60
  /// bytes until the trace is read. In real traces, one comes with 60 bytes or more, a marker with 30.
  static func nodes(bytes: Int) -> Int { least(17) + bytes / 32 }

  /// The most slices of a Perfetto trace. One takes about 60 bytes until a report is made, and can begin in eight. In real traces,
  /// one comes with 22 bytes or more if it is complete, else with 30: its begin and its end.
  static func slices(bytes: Int) -> Int { least(16) + bytes / 20 }

  /// The most slices and instants together. In real traces, an event comes with 16 bytes or more.
  static func events(bytes: Int) -> Int { least(16) + bytes / 16 }

  /// The most samples that such a file may have. One takes 24 bytes, and can be listed in two. In real traces of V8, one comes
  /// with 12 bytes or more, and other formats have longer ones.
  static func samples(bytes: Int) -> Int { least(18) + bytes / 12 }

  /// The most rows of stacks that a text of some bytes may have, such as that of `perf script`. A row takes about 70 bytes until
  /// a report is made. In real texts, a new row comes with 100 bytes or more.
  static func textFrames(bytes: Int) -> Int { least(18) + bytes / 64 }

  /// The most different frames that a text or a profile in JSON may have, and the most strings. A frame takes about 150 bytes
  /// with its name until a report is made. In real files, a new one comes with 300 bytes or more: most have many callers.
  static func names(bytes: Int) -> Int { least(16) + bytes / 256 }

  /// The most samples of a profile of pprof. One takes 24 bytes and can be listed in ten, while the whole file is in memory. In
  /// real profiles, one comes with 40 bytes or more: it has a stack, and is the sum of all with this stack.
  static func stackSums(bytes: Int) -> Int { least(18) + bytes / 32 }

  /// The most samples of a text. One takes about 45 bytes until a report is made. In real texts, one comes with 60 bytes or
  /// more: a line with a thread and an event, or a stack.
  static func textSamples(bytes: Int) -> Int { least(18) + bytes / 40 }

  /// The most symbols of modules of Perfetto. One takes about 150 bytes, and can be listed in three. In real traces, one comes with
  /// 60 bytes or more, and samples come with them.
  static func symbols(bytes: Int) -> Int { least(16) + bytes / 64 }

  /// The most different frames of pprof. One takes about 300 bytes with its name until a report is made, and can be listed in
  /// twenty with its sample. In real profiles, one comes with 100 bytes or more: its function, its line and its samples.
  static func functions(bytes: Int) -> Int { least(16) + bytes / 96 }

  /// The largest `StringTable.size` of a Perfetto trace. An event can name a new string in three bytes, and others join long
  /// ones. In real traces, a new string comes with 64 bytes or more beside its own.
  static func strings(bytes: Int) -> Int { least(22) + bytes }

  /// The most snapshots of clocks that a trace has. One takes about 140 bytes, and 50 in a file with three clocks. In real
  /// traces, one comes with much more: they are seconds apart.
  static func snapshots(bytes: Int) -> Int { least(14) + bytes / 128 }

  /// The most switches and wake-ups of threads together. One takes 15 bytes until a report is made, more then, and can be listed
  /// in two. In real traces, a switch takes seven bytes or more, and has a row for each of its two threads.
  static func switches(bytes: Int) -> Int { least(18) + bytes / 7 * 2 }

  /// The most values of counters that events may bring beside their own. One takes 20 bytes, and can be listed in one.
  static func counters(bytes: Int) -> Int { least(18) + bytes / 10 }

  /// The most tracks with a uuid that a file of some bytes may have. One takes about 150 bytes with its event. In real
  /// traces, a new one comes with 80 bytes or more: its descriptor and its events.
  static func tracks(bytes: Int) -> Int { least(17) + bytes / 64 }

  /// The most threads and processes that a file of some bytes may have. A process takes about 300 bytes with its main
  /// thread. In real traces, a new thread comes with 256 bytes or more: how it began, ran and ended.
  static func threads(bytes: Int) -> Int { least(16) + bytes / 256 }

  /// The most phases and initialisers together that a file of some bytes may have. One takes about 1 KB with the time
  /// after it until a report is made. In real traces, one comes with 100 bytes or more.
  static func phases(bytes: Int) -> Int { least(15) + bytes / 512 }

  /// The largest distance between two times of a trace, ns: 52 days. It is less with more than 512 tracks, because
  /// each may last as long as the trace.
  static func span(tracks: Int) -> Int64 { min(1 << 52, (1 << 61) / Int64(max(1, tracks))) }
}
