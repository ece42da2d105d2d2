// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Synchronization
import TestSupport

/// A Swift program with lazy globals that take known times.
enum LazyProgram {
  /// Ways to link it, as the compiler's options.
  static let linkModes = [[], ["-static-stdlib"], ["-static-executable"]]

  /// It prints for how many ns its initialisers ran, by name. With an argument it makes no thread.
  private static let source = """
    import Glibc

    func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    nonisolated(unsafe) var lines: [String] = []

    func burn(_ name: String, milliseconds: Int64) -> Int {
      let start = now()
      while now() - start < milliseconds * 1_000_000 {}
      lines.append("\\(name) \\(now() - start)")
      return 1
    }

    struct Catalogue {
      static let all = burn("Catalogue.all", milliseconds: 12)
    }

    enum Shared {
      static let outer = burn("Shared.outer", milliseconds: 30) + inner
      fileprivate static let inner = burn("Shared.inner", milliseconds: 30)
    }

    @main struct Program {
      @inline(never) static func useCatalogue() -> Int { Catalogue.all }
      @inline(never) static func useShared() -> Int { Shared.outer }

      static func main() {
        _ = useCatalogue()
        if CommandLine.arguments.count == 1 {
          var thread = pthread_t()
          pthread_create(&thread, nil, { _ in
            _ = Program.useShared()
            return nil
          }, nil)
          usleep(10_000)
          _ = useShared()
          pthread_join(thread, nil)
        }
        for line in lines { print(line) }
      }
    }

    """

  /// - Parameter options: for the compiler.
  static func build(_ options: [String], in directory: TemporaryDirectory) throws -> String {
    let copy = directory.appending("lazy")
    let key = options.joined(separator: " ")
    let built = try Self.built.withLock { built in
      if let path = built[key] { return path }
      let folder = try Self.folder.get()
      let name = "lazy\(built.count)"
      // One name for all: it is the module's, too.
      let path = try Compiler.swift(
        source, to: name, in: folder, ["-swift-version", "5", "-module-name", "lazy"] + options)
      built[key] = path
      return path
    }
    try Compiler.run("cp", [built, copy], in: directory)
    return copy
  }

  /// Programs by their options: static ones take seconds to link.
  private static let built = Mutex<[String: String]>([:])
  private static let folder = Result { try TemporaryDirectory() }

  /// What it printed: ns by name.
  static func times(_ text: String) -> [String: Int] {
    Dictionary(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// The lazy globals of a launch, as a report in JSON has them.
struct ReportedGlobals {
  struct Global {
    var name: String
    var owner: String
    var thread: String
    var isOnMainThread: Bool
    /// ns.
    var duration: Int
    var selfTime: Int
    var asker: String
    /// How long each thread waited, ns.
    var waits: [Int]
  }

  let means: String
  let globals: [Global]

  /// nil when the report has none.
  init?(_ report: JSONReport) {
    guard let table = report.launch["lazyGlobals"] as? [String: Any], let rows = table["globals"] as? [[String: Any]]
    else { return nil }
    means = table["means"] as? String ?? ""
    globals = rows.map { row in
      Global(
        name: row["name"] as? String ?? "", owner: row["owner"] as? String ?? "",
        thread: row["thread"] as? String ?? "", isOnMainThread: row["mainThread"] as? Bool ?? false,
        duration: row["duration"] as? Int ?? 0, selfTime: row["self"] as? Int ?? 0,
        asker: (row["askers"] as? [String])?.first ?? "",
        waits: (row["waiters"] as? [[String: Any]] ?? []).map { $0["duration"] as? Int ?? 0 })
    }
  }

  subscript(name: String) -> Global? { globals.first { $0.name == name } }
}
