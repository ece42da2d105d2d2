// SPDX-License-Identifier: Apache-2.0

/// The libraries that one thread of a running program loads, from the call of `dlopen` to its return.
///
/// If these breakpoints were not set (yet): from the first mapping to the end of the last relocation.
struct OpeningSpans {
  struct Span: Equatable {
    var start: Int64
    var end: Int64
    /// It ends with the relocations, because the return was not observed.
    var lacksInitializers: Bool
  }

  enum Event: Equatable {
    case call, `return`
    /// Code of a file.
    case mapping(path: String)
    /// Data of a file became read-only. Programs also do that to other files than libraries.
    case relocation(path: String)
  }

  private(set) var spans: [Span] = []
  private var open: [Open] = []

  private struct Open {
    var start: Int64
    var isCalled: Bool
    var isRelocated = false
    /// The files of which code is mapped, and which are not relocated yet.
    var files: Set<String> = []
    /// The time of its last event.
    var last: Int64?
  }

  /// - Parameter events: the events of one thread, in order, after the program itself was loaded.
  init(_ events: [(time: Int64, event: Event)]) {
    for (time, event) in events { add(event, time) }
    while !open.isEmpty { closeUnseen() }
    spans.sort { ($0.start, $1.end) < ($1.start, $0.end) }
  }

  private mutating func add(_ event: Event, _ time: Int64) {
    switch event {
    case .call: open.append(Open(start: time, isCalled: true))
    case .return:
      // Also for a library that was loaded already. Nothing is mapped then, and it does not count as a load.
      if let done = open.popLast() { spans.append(Span(start: done.start, end: time, lacksInitializers: false)) }
    case .mapping(let path):
      // A mapping after relocations belongs to another load, for example one by an initialiser.
      if let last = open.last, !last.isCalled, last.isRelocated { closeUnseen() }
      if open.isEmpty { open.append(Open(start: time, isCalled: false)) }
      open[open.count - 1].last = time
      open[open.count - 1].files.insert(path)
    case .relocation(let path):
      guard let last = open.indices.last, open[last].files.remove(path) != nil else { return }
      open[last].isRelocated = true
      open[last].last = time
    }
  }

  private mutating func closeUnseen() {
    guard let rest = open.popLast(), let end = rest.last else { return }
    spans.append(Span(start: rest.start, end: end, lacksInitializers: true))
  }
}
