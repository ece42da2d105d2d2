// SPDX-License-Identifier: Apache-2.0

/// Which processes and threads existed, their names, and the images in their memory.
struct ProcessHistory {
  /// A thread's last name.
  private(set) var names: [Int32: String] = [:]
  /// A thread's process.
  private(set) var processes: [Int32: Int32] = [:]
  /// The parent of each process.
  private(set) var parents: [Int32: Int32] = [:]
  /// When each process executed programs.
  private(set) var execTimes: [Int32: [Int64]] = [:]
  /// When each process was forked. Until it executes a program, it has the memory that its parent had then.
  private(set) var forkTimes: [Int32: Int64] = [:]
  private var code: [Int32: [PerfEvents.Mapping]] = [:]
  private var data: [Int32: [PerfEvents.Mapping]] = [:]

  /// - Parameter executions: when each process executed programs, where the kernel did not report it.
  init(_ events: PerfEvents, executions: [Int32: [Int64]] = [:]) {
    execTimes = executions
    for thread in events.threads where !thread.isEnd {
      processes[thread.place.threadID] = thread.place.processID
      guard thread.parentProcessID != thread.place.processID else { continue }
      parents[thread.place.processID] = thread.parentProcessID
      forkTimes[thread.place.processID] = thread.place.time
    }
    addNames(events)
    for place in events.switches.map(\.place) where place.processID > 0 { processes[place.threadID] = place.processID }
    for place in events.passages.map(\.place) where processes[place.threadID] == nil {
      processes[place.threadID] = place.processID
    }
    for mapping in events.mappings { code[mapping.place.processID, default: []].append(mapping) }
    for mapping in events.dataMappings { data[mapping.place.processID, default: []].append(mapping) }
    // A thread without a name of its own has that of its process.
    for (thread, process) in processes where names[thread] == nil { names[thread] = names[process] }
  }

  /// A new process has its parent's name until it executes a program.
  private mutating func addNames(_ events: PerfEvents) {
    var rest = events.names[...]
    for process in events.threads where !process.isEnd && process.parentProcessID != process.place.processID {
      let earlier = rest.prefix { $0.place.time <= process.place.time }
      for name in earlier { add(name) }
      rest = rest.dropFirst(earlier.count)
      names[process.place.threadID] = names[process.parentProcessID]
    }
    for name in rest { add(name) }
  }

  private mutating func add(_ name: PerfEvents.Name) {
    names[name.place.threadID] = name.name
    processes[name.place.threadID] = name.place.processID
    if name.isExec { execTimes[name.place.processID, default: []].append(name.place.time) }
  }

  /// The code that was mapped at an address at this time.
  func code(of process: Int32, at address: UInt64, time: Int64) -> PerfEvents.Mapping? {
    mapping(in: code, of: process, at: address, time: time)
  }

  /// When other code is mapped at an address after this time; `.max` if none is.
  func nextCode(of process: Int32, at address: UInt64, after time: Int64) -> Int64 {
    let next = code[process]?.first { $0.place.time > time && $0.contains(address) }
    return next?.place.time ?? .max
  }

  /// The mapping that was at an address at this time.
  func mapping(of place: PerfEvents.Occurrence, at address: UInt64) -> PerfEvents.Mapping? {
    let found = [code, data].compactMap { mapping(in: $0, of: place.processID, at: address, time: place.time) }
    return found.max { $0.place.time < $1.place.time }
  }

  /// A child that has not executed a program has its parent's mappings.
  private func mapping(
    in mappings: [Int32: [PerfEvents.Mapping]], of process: Int32, at address: UInt64, time: Int64
  ) -> PerfEvents.Mapping? {
    var current: Int32? = process
    var (latest, earliest) = (time, Int64.min)
    for _ in 0..<16 {
      guard let id = current else { return nil }
      earliest = (execTimes[id] ?? []).last { $0 <= latest } ?? .min
      let found = mappings[id]?.last { mapping in
        mapping.place.time <= latest && mapping.place.time >= earliest && mapping.contains(address)
      }
      if found != nil || earliest != .min { return found }
      current = parents[id]
      latest = min(latest, forkTimes[id] ?? latest)
    }
    return nil
  }

  /// The process and all its descendants.
  func descendants(of process: Int32) -> Set<Int32> {
    var found: Set<Int32> = [process]
    var isGrowing = true
    while isGrowing {
      let more = parents.filter { found.contains($0.value) && !found.contains($0.key) }.keys
      found.formUnion(more)
      isGrowing = !more.isEmpty
    }
    return found
  }
}
