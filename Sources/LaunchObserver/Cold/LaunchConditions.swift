// SPDX-License-Identifier: Apache-2.0

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
    let box = EvictionBox()
    // Late, because the launcher itself reads the program before it launches it.
    request.lastly = { [paths = files.paths.union(known)] in
      let eviction = FileEviction(of: paths)
      box.value.withLock { $0 = eviction }
    }
    return box
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

/// The result of an eviction that takes place later.
final class EvictionBox: Sendable {
  let value = Mutex<FileEviction?>(nil)
}
