/// The points of a program's loading, and what it loaded later, from the breakpoints that were reached.
struct LoadPoints {
  struct Point: Equatable {
    var name: String
    var time: Int64
    /// As the trace says it: `kernel`, `breakpoint`, `ptrace`.
    var source: String
    /// Of the program, for `exec`.
    var path = ""
  }

  /// What a dlopen mapped, from one word of the loader to the next.
  struct Loading {
    var threadID: Int32
    var start: Int64
    var end: Int64
  }

  private(set) var points: [Point] = []
  private(set) var loadings: [Loading] = []

  /// - Parameter events: nil where there were no perf events.
  init(_ launch: ObservedLaunch, _ events: PerfEvents?) {
    let execs = (events?.names ?? []).filter { $0.isExec && $0.place.processID == launch.processID }.map(\.place.time)
    // The kernel tells every program; of one that was soon followed by another the launcher may not have learnt.
    let isKernels = !execs.isEmpty
    let starts = isKernels ? execs : launch.images.map(\.time)
    for (start, end) in zip(starts, starts.dropFirst() + [.max]) {
      let window = start..<max(start, end)
      let image = launch.images.last { window.contains($0.time) }
      let first = events?.mappings.first { $0.place.processID == launch.processID && window.contains($0.place.time) }
      points.append(
        Point(
          name: "exec", time: start, source: isKernels ? "kernel" : image?.means.source ?? "launcher",
          path: image?.path ?? first?.path ?? ""))
      if let image, let addresses = image.addresses, image.means != .none {
        let hits = hits(of: launch, events, image.means, window)
        add(addresses, hits, source: image.means.source)
        loadings += OpeningSpans(
          hits.map { ($0.time, $0.address) }, after: points.last { $0.name == "relocated" }?.time ?? .max,
          addresses: addresses, opening: image.opening,
          mappings: (events?.mappings ?? []).filter { $0.place.threadID == launch.processID }.map(\.place.time)
        ).spans.map { Loading(threadID: launch.processID, start: $0.start, end: $0.end) }
      }
      // Of a static program, the first instruction is its own.
      if image?.addresses == nil || image?.addresses?.loader != nil {
        addKernelPoint(launch.processID, events, window)
      }
    }
    points.sort { $0.time < $1.time }
  }

  private struct Hit {
    var time: Int64
    var address: UInt64
    var threadID: Int32
  }

  private func hits(
    of launch: ObservedLaunch, _ events: PerfEvents?, _ means: ObservedLaunch.Means, _ window: Range<Int64>
  ) -> [Hit] {
    let all =
      means == .ptrace
      ? launch.hits.map { Hit(time: $0.time, address: $0.address, threadID: launch.processID) }
      : (events?.hits ?? []).filter { $0.place.processID == launch.processID }
        .map { Hit(time: $0.place.time, address: $0.address, threadID: $0.place.threadID) }
    return all.filter { window.contains($0.time) }
  }

  private mutating func add(_ addresses: LoadAddresses, _ hits: [Hit], source: String) {
    func first(_ address: UInt64?) -> Int64? { address.flatMap { wanted in hits.first { $0.address == wanted }?.time } }
    let (entry, main) = (first(addresses.entry), first(addresses.main))
    let words = hits.filter { $0.address == addresses.notification }
    // glibc tells twice before the program begins: it begins to load, and all is mapped and relocated; musl once.
    let before = words.prefix { $0.time < entry ?? main ?? .max }
    let relocated = entry != nil || main != nil ? before.last : before.count > 1 ? before[before.startIndex + 1] : nil
    for (name, time) in [
      ("loader-started", first(addresses.loader)), ("relocated", relocated?.time), ("entry", entry), ("main", main),
    ] {
      if let time { points.append(Point(name: name, time: time, source: source)) }
    }
    // Nobody knows where `main` is: the program's own initialisers count into it.
    if addresses.main == nil, let entry { points.append(Point(name: "main", time: entry, source: "estimated")) }
  }

  /// Without a breakpoint there, the loader begins when the kernel has mapped the last that execve maps: the vDSO.
  private mutating func addKernelPoint(_ process: Int32, _ events: PerfEvents?, _ window: Range<Int64>) {
    guard !points.contains(where: { $0.name == "loader-started" && window.contains($0.time) }) else { return }
    let mapping = events?.mappings.first {
      $0.place.processID == process && $0.path == "[vdso]" && window.contains($0.place.time)
    }
    if let mapping { points.append(Point(name: "loader-started", time: mapping.place.time, source: "kernel")) }
  }
}

extension ObservedLaunch.Means {
  /// Where a point's time comes from, as the trace says it.
  fileprivate var source: String {
    switch self {
    case .perf: "breakpoint"
    case .ptrace: "ptrace"
    case .none: "launcher"
    }
  }
}
