// SPDX-License-Identifier: Apache-2.0

/// What Swift's runtime looked up for the first time, and how often it looked up the same again.
struct FirstLookups {
  /// What is looked up.
  enum Subject: Hashable {
    /// Addresses of the type's metadata, and of the protocol's descriptor.
    case conformance(type: UInt64, protocol: UInt64)
    /// Where the mangled name is, and its bytes.
    case typeName(UInt64, length: UInt64)
  }

  /// The first look-up of something in a process.
  struct Lookup {
    var subject: Subject
    var call: WatchedCalls.Call
    /// How often it was looked up again.
    var repeats = 0
  }

  /// All look-ups of a kind.
  struct Total {
    var calls = 0
    /// The time of repeated look-ups, ns, including the probes.
    var repeatTime: Int64 = 0
  }

  /// In the order of their starts.
  private(set) var all: [Lookup] = []
  private(set) var conformances = Total()
  private(set) var typeNames = Total()

  private struct Key: Hashable {
    var process: Int32
    var subject: Subject
  }

  init(_ calls: WatchedCalls) {
    var rows: [Key: Int] = [:]
    for call in calls.all {
      guard let subject = Subject(call) else { continue }
      let key = Key(process: call.processID, subject: subject)
      let total = call.function == .conformance ? \Self.conformances : \Self.typeNames
      self[keyPath: total].calls += 1
      if let row = rows[key] {
        all[row].repeats += 1
        self[keyPath: total].repeatTime += call.end.map { $0 - call.start } ?? 0
      } else {
        rows[key] = all.count
        all.append(Lookup(subject: subject, call: call))
      }
    }
  }
}

extension FirstLookups.Subject {
  /// nil for a call that is not a look-up.
  init?(_ call: WatchedCalls.Call) { self.init(call.function, call.first, call.second) }

  /// nil for a passage that is not a look-up, or is a return.
  init?(_ passage: PerfEvents.Passage) {
    guard !passage.isReturn, let function = RuntimeFunction(place: passage.function) else { return nil }
    let subject = function.subject(passage.arguments)
    self.init(function, subject.first, subject.second)
  }

  private init?(_ function: RuntimeFunction, _ first: UInt64, _ second: UInt64) {
    switch function {
    case .conformance: self = .conformance(type: first, protocol: second)
    case .typeName: self = .typeName(first, length: second)
    default: return nil
    }
  }
}
