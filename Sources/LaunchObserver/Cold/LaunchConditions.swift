// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace
import Synchronization

/// What to do before each launch of a series, so that the launch finds the requested conditions.
package struct LaunchConditions: Sendable {
  /// Drop the program's files from the page cache.
  package var isCold: Bool
  /// Each launch gets its own empty home in this directory; nil to use the user's home.
  package var firstLaunchDirectory: String?

  package init(isCold: Bool = false, firstLaunchDirectory: String? = nil) {
    self.isCold = isCold
    self.firstLaunchDirectory = firstLaunchDirectory
  }

  /// False if a file is in memory only, on tmpfs for example.
  package static func canBeCold(_ path: String) -> Bool { !lo_is_in_memory(path) }

  /// The kind of these launches; nil for ordinary ones.
  var kind: String? {
    let words = [
      firstLaunchDirectory == nil ? nil : LS_LAUNCH_KIND_FIRST, isCold ? LS_LAUNCH_KIND_PAGE_CACHE_COLD : nil,
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

/// Sets up the conditions for each launch of a series.
struct LaunchPreparation {
  let conditions: LaunchConditions
  /// Files that earlier launches used.
  private var known: Set<String> = []
  /// The files that each program links, found once.
  private var files: [String: LaunchFiles] = [:]

  init(_ conditions: LaunchConditions) { self.conditions = conditions }

  /// Changes `request` for one launch. The eviction takes place right before the launch; its result is then in the
  /// returned box. nil if there is nothing to evict.
  ///
  /// - Throws: `LaunchError.cannotWrite` if no home can be created.
  mutating func prepare(_ request: inout LaunchRequest) throws(LaunchError) -> EvictionBox? {
    let environment = LaunchEnvironment()
    if let directory = conditions.firstLaunchDirectory {
      request.environment.merge(try FreshHome(in: directory).variables(environment)) { $1 }
    }
    guard conditions.isCold else { return nil }
    let files =
      self.files[request.program]
      ?? LaunchFiles(program: request.program, arguments: request.arguments, environment: environment)
    self.files[request.program] = files
    let box = EvictionBox(files.paths.union(known))
    // Late, because the launcher itself reads the program before it launches it.
    request.lastly = { box.evict() }
    return box
  }

  /// Learns which files the processes of a launch opened, if the kernel tells.
  mutating func learn(from box: EvictionBox?, openedBy processes: some Sequence<Int32>) {
    guard let box else { return }
    for process in processes { known.formUnion(box.opened(by: process)) }
  }

  /// Learns from a launch's trace which files it used: libraries that it loaded later, and files that it waited for.
  mutating func learn(from trace: Trace) {
    guard conditions.isCold else { return }
    let keys = [LS_KEY_PATH, LS_KEY_IMAGE].compactMap { trace.strings.id(of: $0) }
    let rows = Set(trace.slices.annotation).union(trace.instants.annotation).filter { $0 != 0 }
    for row in rows {
      for key in keys {
        if case .string(let path)? = trace.annotations.value(row: row, key: key), path.hasPrefix("/"), isRegular(path) {
          known.insert(path)
        }
      }
    }
  }
}

/// An eviction that takes place later, and what is opened after it.
final class EvictionBox: Sendable {
  private struct State {
    var result: FileEviction?
    var watch: OpenedFiles?
    /// nil if the kernel does not tell.
    var opened: OpenedFiles.Log?
  }

  private let paths: Set<String>
  private let state = Mutex(State())

  /// - Parameter paths: the files to evict.
  init(_ paths: Set<String>) { self.paths = paths }

  func evict() {
    let eviction = FileEviction(of: paths)
    state.withLock { $0 = State(result: eviction, watch: OpenedFiles()) }
  }

  /// The launch has ended.
  func finish() {
    state.withLock { state in
      state.opened = state.watch?.log()
      state.watch = nil
    }
  }

  /// What was evicted, and how many other files the process then opened; nil before that.
  func result(of process: Int32) -> FileEviction? {
    state.withLock { state in
      var result = state.result
      if let opened = state.opened, opened.isComplete {
        result?.missed = opened.files(openedBy: process).subtracting(paths.compactMap(realPath)).count
      }
      return result
    }
  }

  /// The files that a process has opened since then; empty if the kernel does not tell.
  func opened(by process: Int32) -> Set<String> { state.withLock { $0.opened?.files(openedBy: process) ?? [] } }
}
