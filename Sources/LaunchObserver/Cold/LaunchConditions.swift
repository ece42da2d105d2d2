internal import CLaunchSchema
import Glibc
internal import LaunchTrace
import Synchronization

/// What is done before each launch of a series, so that it finds the machine as it is asked for.
package struct LaunchConditions: Sendable {
  /// The program's files are dropped from the page cache.
  package var isCold: Bool
  /// Each launch has a home of its own beneath this directory, with nothing in it; nil for the user's own.
  package var firstLaunchDirectory: String?

  package init(isCold: Bool = false, firstLaunchDirectory: String? = nil) {
    self.isCold = isCold
    self.firstLaunchDirectory = firstLaunchDirectory
  }

  /// The word for launches of this kind; nil for ordinary ones.
  var kind: String? {
    let words = [firstLaunchDirectory == nil ? nil : "first", isCold ? "page-cache cold" : nil].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

/// Puts the conditions of a series into effect, launch after launch.
struct LaunchPreparation {
  let conditions: LaunchConditions
  /// Files that launches before were seen to use.
  private var known: Set<String> = []
  /// What a program links, which is asked once.
  private var files: [String: LaunchFiles] = [:]

  init(_ conditions: LaunchConditions) { self.conditions = conditions }

  /// Changes `request` for one launch. What is evicted, right before the launch, is then to be had from the box; nil when
  /// nothing is to be.
  ///
  /// - Throws: `LaunchError.cannotWrite` when no home can be made.
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
    // The launcher itself reads the program before it launches it.
    request.lastly = { [paths = files.paths.union(known)] in
      let eviction = FileEviction(of: paths)
      box.value.withLock { $0 = eviction }
    }
    return box
  }

  /// Takes from the trace of a launch which files it used: libraries that it loaded as it ran, files that it waited for.
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

/// What an eviction says that takes place later.
final class EvictionBox: Sendable {
  let value = Mutex<FileEviction?>(nil)
}
