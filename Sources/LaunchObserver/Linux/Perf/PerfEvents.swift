// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSymbols

/// What the kernel recorded of a process and its descendants, in the order of time. Times are CLOCK_MONOTONIC ns.
struct PerfEvents {
  /// The thread, processor and time of a record.
  struct Occurrence {
    var time: Int64 = 0
    var processID: Int32 = 0
    var threadID: Int32 = 0
    var processor: UInt32 = 0
  }

  struct Switch {
    var place: Occurrence
    var isOut: Bool
    /// True if the thread left the CPU although it could have continued.
    var isPreempted: Bool
  }

  /// The state in which a thread left its processor: the scheduler's `prev_state`.
  struct Departure {
    var place: Occurrence
    var state: Int64
    /// The kernel's own number of the thread, which differs from that in a container.
    var number: Int32
  }

  /// A thread makes another one ready to run.
  struct Waking {
    /// The place of the waker.
    var place: Occurrence
    var woken: Int32
    /// True if an interrupt ended the wait, while this thread ran.
    var isInterrupt: Bool
  }

  /// A thread's name, by execve or by itself.
  struct Name {
    var place: Occurrence
    var isExec: Bool
    var name: String
  }

  struct Mapping {
    var place: Occurrence
    var address: UInt64
    var length: UInt64
    /// In the file.
    var offset: UInt64
    var path: String
    /// PROT_… of mmap(2).
    var protection: UInt32
    /// That of the file; 0 if it is not known.
    var inode: UInt64 = 0
    /// True if this mapping loads a program or a library.
    var isLoad = false

    /// What perf calls memory without a file. A compiler may write code into it.
    static let withoutFile = "//anon"

    var isOfFile: Bool { path.hasPrefix("/") && !path.hasPrefix("//") }

    func contains(_ place: UInt64) -> Bool { address <= place && place - address < length }

    /// For memory that is shared. Loaders map code for the process alone. Some compilers map the memory of code twice, once
    /// to write it and once to execute it, and the kernel has a path for such memory: `/memfd:vmem (deleted)`.
    mutating func forgetFileOfSharedCode() {
      guard protection & UInt32(PROT_EXEC) != 0 else { return }
      // As in memory without a file, the offset is the address.
      (path, offset, inode) = (Self.withoutFile, address, 0)
    }
  }

  struct Thread {
    var place: Occurrence
    var parentProcessID: Int32
    /// The thread that created it; 0 if that is not known.
    var creator: Int32 = 0
    var isEnd: Bool
  }

  struct Sample {
    var place: Occurrence
    /// Innermost first; the first one is where the thread was, the others where calls return to. By frame pointers.
    var addresses: [UInt64]
    /// What the thread had at that instant; nil if it was not copied.
    var copy: (registers: UnwindRegisters, stack: StackCopy)?
  }

  struct Fault {
    var place: Occurrence
    var address: UInt64
  }

  struct Hit {
    var place: Occurrence
    var address: UInt64
  }

  /// The first arguments of a call.
  typealias Arguments = (first: UInt64, second: UInt64, third: UInt64)

  /// A function that a probe watches is called, or returns.
  struct Passage {
    var place: Occurrence
    /// Which function.
    var function: UInt64
    var isReturn: Bool
    /// The arguments of a call.
    var arguments: Arguments = (0, 0, 0)
    /// The addresses of a call: the function, and where it and its callers return to, innermost first.
    var addresses: [UInt64] = []
  }

  /// Calls that a process made of a function that a probe counts.
  struct CountedCalls: Hashable {
    var processID: Int32
    var function: UInt64
  }

  var switches: [Switch] = []
  /// Both are there only where the scheduler was asked: `PerfSession.watchScheduling`.
  var departures: [Departure] = []
  var wakings: [Waking] = []
  var names: [Name] = []
  /// Mappings of code.
  var mappings: [Mapping] = []
  /// For other memory, also when existing mappings get another protection.
  var dataMappings: [Mapping] = []
  var threads: [Thread] = []
  var samples: [Sample] = []
  /// Stacks of threads that left their processors. Some have none, and some users get none.
  var waits: [Sample] = []
  var faults: [Fault] = []
  var hits: [Hit] = []
  /// Passages of any process.
  var passages: [Passage] = []
  /// Calls that are only counted, of any process.
  var counts: [CountedCalls: Int] = [:]
  /// How often the kernel held samples back.
  var throttled: UInt64 = 0
  /// Records that found no room or were held back, and the samples among them where the kernel tells.
  var lost: UInt64 = 0
  var lostSamples: UInt64 = 0

  /// Reads only a process's calls of watched functions, in no order.
  init(callsOf process: Int32, in log: PerfLog) { read(log, callsOf: process) }

  private mutating func read(_ log: PerfLog, callsOf process: Int32? = nil) {
    for ring in log.rings {
      ring.withUnsafeBytes { bytes in
        var reader = PerfRecordReader(bytes, of: ring, log, callsOf: process)
        reader.readAll(into: &self)
      }
    }
  }

  /// Reads the records of a session. Broken records, and those of an unknown kind, are skipped.
  init(_ log: PerfLog) {
    read(log)
    // The kernel reports lost records only when there is room again.
    lost = max(lost, log.lost) + throttled
    lostSamples = log.lostSamples + throttled
    switches.sort { $0.place.time < $1.place.time }
    departures.sort { $0.place.time < $1.place.time }
    wakings.sort { $0.place.time < $1.place.time }
    translateWakings()
    names.sort { $0.place.time < $1.place.time }
    mappings.sort { $0.place.time < $1.place.time }
    dataMappings.sort { $0.place.time < $1.place.time }
    markLoads()
    threads.sort { $0.place.time < $1.place.time }
    samples.sort { $0.place.time < $1.place.time }
    waits.sort { $0.place.time < $1.place.time }
    faults.sort { $0.place.time < $1.place.time }
    hits.sort { $0.place.time < $1.place.time }
    passages.sort { $0.place.time < $1.place.time }
  }

  /// Loaders map the beginning of a file first, and its code once. The kernel also tells of code that gets other rights, and
  /// of code that a program maps once more for itself.
  private mutating func markLoads() {
    let execs = Dictionary(grouping: names.lazy.filter(\.isExec).map(\.place), by: \.processID)
    func file(_ mapping: Mapping) -> MappedFile {
      let place = mapping.place
      let programs = execs[place.processID]?.count { $0.time <= place.time } ?? 0
      return MappedFile(processID: place.processID, programs: programs, path: mapping.path)
    }
    let beginnings = Dictionary(grouping: dataMappings.lazy.filter { $0.isOfFile && $0.offset == 0 }, by: file)
      .mapValues { $0.map(\.place.time) }
    var loads: [MappedFile: Int64] = [:]
    for row in mappings.indices where mappings[row].isOfFile {
      let (file, time) = (file(mappings[row]), mappings[row].place.time)
      if let last = loads[file], mappings[row].offset != 0,
        beginnings[file]?.contains(where: { last < $0 && $0 <= time }) != true
      {
        continue
      }
      mappings[row].isLoad = true
      loads[file] = time
    }
  }

  /// A file in the memory of one of the programs that a process executed one after the other.
  private struct MappedFile: Hashable {
    var processID: Int32
    var programs: Int
    var path: String
  }

  /// Wakings have the kernel's own numbers of threads; those of ours are known from when they left a processor.
  private mutating func translateWakings() {
    guard departures.contains(where: { $0.number != $0.place.threadID }) else { return }
    let threads = Dictionary(departures.map { ($0.number, $0.place.threadID) }) { $1 }
    wakings = wakings.compactMap { waking in
      guard let thread = threads[waking.woken] else { return nil }
      var waking = waking
      waking.woken = thread
      return waking
    }
  }
}
