// SPDX-License-Identifier: Apache-2.0

internal import CMeasure

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Measures candidates in turn: in every round each runs one burst, in a new random order.
///
/// All other candidates run between two bursts of one candidate. So the machine's drift and its other users affect
/// all candidates alike, and not a round's ratio of two of them. The measure is the thread's CPU time.
public struct RoundRobin: Sendable {
  public let rounds: Int
  public let seed: UInt64

  public init(rounds: Int, seed: UInt64) {
    self.rounds = rounds
    self.seed = seed
  }

  /// Measures on one pinned thread. `afterWarmUp` runs after a first round that does not count.
  public func measure(_ candidates: [Candidate], afterWarmUp: @Sendable () -> Void = {}) async -> [String: Samples] {
    var samples = Self.empty(candidates)
    var generator = SplitMix64(seed: seed)
    for round in -1..<rounds {
      if round == 0 { afterWarmUp() }
      for candidate in candidates.shuffled(using: &generator) {
        let burst = await Self.burst(of: candidate)
        candidate.after?()
        if round >= 0 { samples[candidate.name]?.append(burst) }
      }
    }
    return samples
  }

  /// Measures on two threads at once, each pinned to its own CPU. A sample is the mean of the two. Candidates must
  /// not suspend.
  public func measureOnTwoThreads(_ candidates: [Candidate]) -> [String: Samples] {
    let meeting = UnsafeMutablePointer<cm_meeting>.allocate(capacity: 1)
    meeting.initialize(to: cm_meeting())
    defer { meeting.deallocate() }
    let place = Shared(meeting)
    let other = Collected()
    var thread = pthread_t()
    let work = Work { other.samples = run(candidates, on: 0, meetingAt: place) }
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      },
      Unmanaged.passRetained(work).toOpaque())
    var samples = run(candidates, on: cm_last_cpu(), meetingAt: place)
    pthread_join(thread, nil)
    for candidate in candidates {
      let both = zip(samples[candidate.name]?.thread ?? [], other.samples[candidate.name]?.thread ?? [])
      samples[candidate.name]?.thread = both.map { ($0 + $1) / 2 }
    }
    return samples
  }

  private func run(_ candidates: [Candidate], on cpu: Int32, meetingAt place: Shared) -> [String: Samples] {
    _ = cm_pin(cpu)
    var samples = Self.empty(candidates)
    var generator = SplitMix64(seed: seed)
    for round in -1..<rounds {
      for candidate in candidates.shuffled(using: &generator) {
        guard case .sync(let body) = candidate.body else { continue }
        cm_meet(place.meeting, 2)
        let start = cm_thread_cpu()
        body(candidate.burst)
        let end = cm_thread_cpu()
        candidate.after?()
        if round >= 0 { samples[candidate.name]?.thread.append(Double(end - start) / Double(candidate.burst)) }
      }
    }
    return samples
  }

  /// ns per operation, of this thread and of the whole process. Repeats the burst if a suspension changed the thread.
  private static func burst(of candidate: Candidate) async -> (thread: Double, process: Double) {
    for _ in 0..<10 {
      let thread = cm_thread_id()
      let process = cm_process_cpu()
      let start = cm_thread_cpu()
      switch candidate.body {
      case .sync(let body): body(candidate.burst)
      case .async(let body): await body(candidate.burst)
      }
      let end = cm_thread_cpu()
      if cm_thread_id() == thread, end >= start {
        let count = Double(candidate.burst)
        return (Double(end - start) / count, Double(cm_process_cpu() - process) / count)
      }
    }
    return (.nan, .nan)
  }

  private static func empty(_ candidates: [Candidate]) -> [String: Samples] {
    Dictionary(uniqueKeysWithValues: candidates.map { ($0.name, Samples()) })
  }
}

extension Samples {
  fileprivate mutating func append(_ burst: (thread: Double, process: Double)) {
    thread.append(burst.thread)
    process.append(burst.process)
  }
}

/// Lives until both threads have ended.
private struct Shared: @unchecked Sendable {
  let meeting: UnsafeMutablePointer<cm_meeting>
  init(_ meeting: UnsafeMutablePointer<cm_meeting>) { self.meeting = meeting }
}

/// One thread writes it. Others read it after that thread has ended.
private final class Collected: @unchecked Sendable { var samples: [String: Samples] = [:] }

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (OOPSLA 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
