// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSymbols
internal import LaunchTrace

/// Collects the lazy globals of a trace, and takes out of their times what the probes cost.
struct LazyGlobalTableBuilder {
  private let timeline: LaunchTimeline
  private let owner: CodeOwner
  private let watched: WatchedTimes
  private let means: LazyGlobalTable.Means?

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    owner = CodeOwner(program: timeline.executable)
    means = timeline.observation?.globals
    watched = WatchedTimes(timeline, category: CategoryName.global, means)
  }

  func build() -> LazyGlobalTable {
    var table = LazyGlobalTable(means: means)
    guard !watched.rows.isEmpty else { return table }
    var waits: [(token: UInt64, waiter: LazyGlobal.Waiter)] = []
    var globals: [(token: UInt64, global: LazyGlobal)] = []
    for (row, time) in zip(watched.rows, watched.times) {
      let facts = timeline.trace.annotations(ofSlice: row)
      let token = facts.pointer(LS_KEY_TOKEN) ?? 0
      let (thread, isMain) = thread(of: row)
      if facts.bool(LS_KEY_IS_WAIT) == true {
        let start = timeline.part(row).lowerBound
        waits.append((token, .init(thread: thread, isOnMainThread: isMain, start: start, duration: time.inclusive)))
      } else {
        globals.append((token, global(row, facts, time, thread: thread, isOnMainThread: isMain)))
      }
    }
    table.globals = globals.map(\.global)
    // The globals that have begun, by token. The runtime keeps some variables on a stack, so the same address may be
    // initialised twice. A thread waits for the last one.
    var begun: [UInt64: [Int]] = [:]
    var next = 0
    for (token, waiter) in waits {
      while next < globals.count, globals[next].global.start <= waiter.start {
        begun[globals[next].token, default: []].append(next)
        next += 1
      }
      while let last = begun[token]?.last {
        if waiter.start < timeline.spans.end(globals[last].global.slice) {
          table.globals[last].waiters.append(waiter)
          break
        }
        begun[token]?.removeLast()
      }
    }
    table.cost = Int64(watched.rows.count) * (means?.callCost ?? 0)
    return table
  }

  // MARK: Rows

  private func global(
    _ row: SliceIndex, _ facts: AnnotationRow, _ time: WatchedTimes.Times, thread: String, isOnMainThread: Bool
  ) -> LazyGlobal {
    let name = facts.string(LS_KEY_NAME) ?? timeline.trace.name(ofSlice: row)
    let image = facts.string(LS_KEY_IMAGE) ?? ""
    return LazyGlobal(
      name: FunctionName(name).text, module: CodeNames.module(of: name), image: image, owner: owner(of: name, image),
      thread: thread, isOnMainThread: isOnMainThread, start: timeline.part(row).lowerBound, duration: time.inclusive,
      selfTime: time.own, isUnfinished: timeline.spans.flags[row].contains(.unfinished),
      askers: Self.askers(facts.strings(LS_KEY_CALLERS)), waiters: [], slice: row)
  }

  private func owner(of name: String, _ image: String) -> LazyGlobal.Owner {
    let isNamed = !name.contains("+0x")
    if isNamed {
      let isSwift = CodeNames.module(of: name) != nil
      return isSwift && owner.isOwn(image: image, function: name) ? .program : .language
    }
    // Without symbols, the owner is unknown: a file of the program may contain Swift's libraries, too.
    return owner.isOwn(image: image, function: name) ? .unknown : .language
  }

  private func thread(of row: SliceIndex) -> (title: String, isMain: Bool) {
    let track = timeline.trace.slices.track[row]
    let isMain = timeline.spans.flags[row].contains(.mainThread)
    return (timeline.trace.title(ofTrack: track, isMain: track == timeline.mainThread?.rawValue), isMain)
  }

  /// The callers without the innermost ones: the variable's accessor, and functions of the runtime.
  private static func askers(_ callers: [String]) -> [String] {
    let between = callers.prefix { name in
      name.contains(".unsafeMutableAddressor") || name == "swift_once" || name.hasPrefix("swift::")
        || name.hasPrefix("std::")
    }
    return callers.dropFirst(between.count).map { FunctionName($0).text }
  }
}
