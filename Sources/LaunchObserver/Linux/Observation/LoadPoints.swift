// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The points of a program's loading, and what it loaded later, according to the kernel and to the breakpoints that
/// were reached.
struct LoadPoints {
  struct Point: Equatable {
    var name: String
    var time: Int64
    /// The source as in the trace: `kernel`, `breakpoint`, `ptrace`.
    var source: String
    /// Path of the program, for `exec`.
    var path = ""
    /// The name under which the program was executed; nil if it is that of its file.
    var executedName: String?
    /// What the process had read from disks when it had executed the program, bytes; nil if that is not known.
    var readBytes: UInt64?
  }

  /// A dlopen.
  struct Loading {
    var threadID: Int32
    var span: OpeningSpans.Span
  }

  private(set) var points: [Point] = []
  private(set) var loadings: [Loading] = []
  /// The last program that passed its points before the launcher watched them; nil for none.
  private(set) var unwatched: String?
  /// When the loader began to open the first library of each program. Before, it only prepared itself.
  private(set) var firstOpenings: [(path: String, mapped: Int64, start: Int64)] = []
  /// Relocations of the libraries that came with the program, in order. Each begins at the end of the previous one.
  private(set) var relocations: [(path: String, start: Int64, end: Int64)] = []

  /// - Parameter events: nil without perf events.
  init(_ launch: ObservedLaunch, _ events: PerfEvents?) {
    let execs = (events?.names ?? []).filter { $0.isExec && $0.place.processID == launch.processID }.map(\.place.time)
    // The kernel reports every program. The launcher may have missed one that was soon followed by another.
    let isKernels = !execs.isEmpty
    let starts = isKernels ? execs : launch.images.map(\.time)
    for (start, end) in zip(starts, starts.dropFirst() + [.max]) {
      let window = start..<max(start, end)
      // Only the last program's `main` is the launch's.
      unwatched = nil
      let image = launch.images.last { window.contains($0.time) }
      let first = events?.mappings.first { $0.place.processID == launch.processID && window.contains($0.place.time) }
      points.append(
        Point(
          name: LS_POINT_EXEC, time: start,
          source: isKernels ? LS_SOURCE_KERNEL : image?.means.source ?? LS_SOURCE_LAUNCHER,
          path: image?.path ?? first?.path ?? "", executedName: image?.executedName,
          readBytes: image?.readBytes))
      let found = image.map { hits(of: launch, events, $0, window) } ?? []
      if let image, let addresses = image.addresses, image.means != .none {
        add(addresses, found.filter { $0.place.threadID == launch.processID }, source: image.means.source)
      }
      if let events { add(events, of: launch.processID, image, window, found) }
    }
    points.sort { $0.time < $1.time }
    loadings.sort { ($0.span.start, $1.span.end) < ($1.span.start, $0.span.end) }
  }

  private func hits(
    of launch: ObservedLaunch, _ events: PerfEvents?, _ image: ObservedLaunch.Image, _ window: Range<Int64>
  ) -> [PerfEvents.Hit] {
    let software = (image.means == .ptrace ? launch.hits : []).map { hit in
      PerfEvents.Hit(
        place: .init(time: hit.time, processID: launch.processID, threadID: launch.processID), address: hit.address)
    }
    let hardware = (events?.hits ?? []).filter { $0.place.processID == launch.processID }
    return (software + hardware).filter { window.contains($0.place.time) }
  }

  private mutating func add(_ addresses: LoadAddresses, _ hits: [PerfEvents.Hit], source: String) {
    func first(_ address: UInt64?) -> Int64? {
      address.flatMap { wanted in hits.first { $0.address == wanted }?.place.time }
    }
    let (entry, main) = (first(addresses.entry), first(addresses.main))
    let words = hits.filter { $0.address == addresses.notification }
    // glibc notifies twice before the program begins: when loading begins, and when all is mapped and relocated. musl
    // does it once.
    let before = words.prefix { $0.place.time < entry ?? main ?? .max }
    let relocated = entry != nil || main != nil ? before.last : before.count > 1 ? before[before.startIndex + 1] : nil
    for (name, time) in [
      (LS_POINT_LOADER_STARTED, first(addresses.loader)), (LS_POINT_RELOCATED, relocated?.place.time),
      (LS_POINT_ENTRY, entry), (LS_POINT_MAIN, main),
    ] {
      if let time { points.append(Point(name: name, time: time, source: source)) }
    }
    // The address of `main` is unknown, so the program's own initialisers count as part of it.
    if addresses.main == nil, let entry {
      points.append(Point(name: LS_POINT_MAIN, time: entry, source: LS_SOURCE_ESTIMATED))
    }
  }

  // MARK: What the kernel reports

  private mutating func add(
    _ events: PerfEvents, of process: Int32, _ image: ObservedLaunch.Image?, _ window: Range<Int64>,
    _ hits: [PerfEvents.Hit]
  ) {
    func own(_ mappings: [PerfEvents.Mapping]) -> [PerfEvents.Mapping] {
      mappings.filter { $0.place.processID == process && window.contains($0.place.time) }
    }
    let code = own(events.mappings)
    addStart(image, vdso: code.first { $0.path == "[vdso]" }?.place.time, window)
    addFirstOpening(own(events.mappings + events.dataMappings), window)
    // A static program relocates itself, in the phase of its initialisers.
    guard image?.addresses == nil || image?.addresses?.loader != nil else { return }
    let relocations = Relocations(own(events.dataMappings))
    let entry = points.first { [LS_POINT_ENTRY, LS_POINT_MAIN].contains($0.name) && window.contains($0.time) }?.time
    let first = relocations.first(before: entry ?? .max)
    if let last = first.last {
      // Other sources report this point later, with a breakpoint's delay.
      points.removeAll { $0.name == LS_POINT_RELOCATED && window.contains($0.time) }
      points.append(Point(name: LS_POINT_RELOCATED, time: last.relocated, source: LS_SOURCE_KERNEL))
      let loader = points.last { $0.name == LS_POINT_LOADER_STARTED && window.contains($0.time) }?.time
      addRelocations(first, code, notBefore: loader ?? window.lowerBound)
    }
    guard let end = points.last(where: { $0.name == LS_POINT_RELOCATED && window.contains($0.time) })?.time else {
      return
    }
    addLoadings(image, code, relocations.libraries, hits, after: end)
  }

  /// Adds the point where the process began to run the program's code. If there was a stop at execve, this is the end
  /// of that stop. Otherwise, it is the mapping of the vDSO, the last one that execve makes.
  private mutating func addStart(_ image: ObservedLaunch.Image?, vdso: Int64?, _ window: Range<Int64>) {
    let isStatic = image?.addresses.map { $0.loader == nil } ?? false
    let name = isStatic ? LS_POINT_ENTRY : LS_POINT_LOADER_STARTED
    guard !points.contains(where: { $0.name == name && window.contains($0.time) }) else { return }
    // If the points of a program are unknown, use only the kernel's events.
    let stop = image.flatMap { $0.wasStopped && $0.addresses != nil ? $0.time : nil }
    guard let time = stop ?? vdso else { return }
    points.append(Point(name: name, time: time, source: stop == nil ? LS_SOURCE_KERNEL : LS_SOURCE_LAUNCHER))
    // A program that another one executed is not stopped, and may pass its points before the launcher watches them.
    let hasMain = points.contains { $0.name == LS_POINT_MAIN && window.contains($0.time) }
    guard isStatic, !hasMain, stop == nil || image?.addresses?.main == nil else { return }
    points.append(Point(name: LS_POINT_MAIN, time: time, source: LS_SOURCE_ESTIMATED))
    if image?.addresses?.main != nil { unwatched = image?.path }
  }

  /// The loader maps its memory and its cache, and then the first library, in several parts.
  ///
  /// - Parameter mappings: of code and of data.
  private mutating func addFirstOpening(_ mappings: [PerfEvents.Mapping], _ window: Range<Int64>) {
    let loader = points.last { $0.name == LS_POINT_LOADER_STARTED && window.contains($0.time) }?.time
    let made = mappings.filter { $0.place.time > loader ?? .max }.sorted { $0.place.time < $1.place.time }
    guard let code = made.first(where: \.isLoad), let own = made.firstIndex(where: { $0.path == code.path }) else {
      return
    }
    firstOpenings.append((code.path, code.place.time, made[max(0, own - 1)].place.time))
  }

  /// - Parameter loader: when the loader began.
  private mutating func addRelocations(
    _ libraries: ArraySlice<Relocations.Library>, _ code: [PerfEvents.Mapping], notBefore loader: Int64
  ) {
    guard let first = libraries.first else { return }
    // As for phases: after the last library's code was mapped. musl's loader is a library that execve(2) maps.
    let mapped = code.last { $0.isLoad && $0.place.time <= first.relocated }?.place.time ?? first.mapped
    var start = min(max(mapped, loader), first.relocated)
    for library in libraries {
      relocations.append((library.path, start, library.relocated))
      start = library.relocated
    }
  }

  private mutating func addLoadings(
    _ image: ObservedLaunch.Image?, _ code: [PerfEvents.Mapping], _ relocated: [Relocations.Library],
    _ hits: [PerfEvents.Hit], after end: Int64
  ) {
    var events: [Int32: [(time: Int64, event: OpeningSpans.Event)]] = [:]
    for mapping in code where mapping.isLoad && mapping.place.time > end {
      events[mapping.place.threadID, default: []].append((mapping.place.time, .mapping(path: mapping.path)))
    }
    for library in relocated where library.relocated > end {
      events[library.threadID, default: []].append((library.relocated, .relocation(path: library.path)))
    }
    for hit in hits where hit.place.time > end {
      let (thread, time) = (hit.place.threadID, hit.place.time)
      if hit.address == image?.opening?.function { events[thread, default: []].append((time, .call)) }
      if image?.opening?.returns.contains(hit.address) == true { events[thread, default: []].append((time, .return)) }
    }
    for (thread, events) in events {
      loadings += OpeningSpans(events.sorted { $0.time < $1.time }).spans.map { Loading(threadID: thread, span: $0) }
    }
  }
}

extension ObservedLaunch.Means {
  /// The source of a point's time, as in the trace.
  fileprivate var source: String {
    switch self {
    case .perf: LS_SOURCE_BREAKPOINT
    case .ptrace: LS_SOURCE_PTRACE
    case .none: LS_SOURCE_LAUNCHER
    }
  }
}
