// SPDX-License-Identifier: Apache-2.0

package import LaunchSymbols
internal import LaunchSystem

/// A program and all libraries that the loader will map for it, as the loader itself lists them (ld.so(8)). No code of
/// the program runs.
///
/// Only the loader knows them, because `RUNPATH`, `RPATH`, `LD_LIBRARY_PATH`, `LD_PRELOAD`, its cache and the
/// processor's variants all affect the result.
package struct LibraryClosure: Sendable {
  package struct Library: Sendable {
    /// The requested name.
    package var name: String
    package var file: ELFFile
  }

  package let program: ELFFile
  /// In the order in which the loader meets them.
  package let libraries: [Library]
  /// The requested libraries that were not found.
  package let missing: [String]

  /// - Parameter variables: changes to the program's environment.
  /// - Throws: `LaunchError.cannotLaunch` if the program cannot be read, or its loader cannot be asked.
  package init(of path: String, variables: [String: String] = [:]) throws(LaunchError) {
    self = try Question(about: path, variables: variables).answer()
  }

  /// The loader is asked, and has not answered yet. `answer` must follow.
  package struct Question {
    private let path: String
    private let program: ELFFile
    /// nil for a static program, which has no loader.
    private let loader: ToolProcess?

    /// Throws as `LibraryClosure.init` does.
    package init(about path: String, variables: [String: String] = [:]) throws(LaunchError) {
      do { program = try ELFFile(path: path) } catch {
        throw LaunchError(.cannotLaunch, path: path, message: error.message, errno: error.errno)
      }
      self.path = path
      loader = try program.interpreter.map { loader throws(LaunchError) in
        try LibraryClosure.ask(loader, about: path, variables)
      }
    }

    /// Waits for the answer. Throws as `LibraryClosure.init` does.
    package func answer() throws(LaunchError) -> LibraryClosure {
      guard let loader else { return LibraryClosure(program: program, libraries: [], missing: []) }
      let entries = try LibraryClosure.entries(loader, about: path)
      return LibraryClosure(
        program: program,
        libraries: entries.compactMap { entry in
          entry.path.flatMap { try? ELFFile(path: $0) }.map { Library(name: entry.name, file: $0) }
        }, missing: entries.filter { $0.path == nil }.map(\.name))
    }
  }

  private init(program: ELFFile, libraries: [Library], missing: [String]) {
    (self.program, self.libraries, self.missing) = (program, libraries, missing)
  }

  /// The paths of the libraries of `path`. Its loader is `loader`.
  ///
  /// - Throws: `LaunchError.cannotLaunch` if the loader cannot be asked.
  static func paths(of path: String, loader: String) throws(LaunchError) -> [String] {
    try entries(ask(loader, about: path, [:]), about: path).compactMap(\.path)
  }

  /// A loader that writes more does not list libraries.
  private static let mostBytes = 1 << 20
  private typealias Entry = (name: String, path: String?)

  private static func ask(
    _ loader: String, about path: String, _ variables: [String: String]
  ) throws(LaunchError) -> ToolProcess {
    let absolute = path.hasPrefix("/") ? path : "./" + path
    var arguments = [absolute]
    var variables = variables
    switch fileName(loader) {
    // As ldd(1) does, which also lists libraries that are not found. Other loaders would run the program.
    case let name where name.hasPrefix("ld-linux") || name.hasPrefix("ld64.so"):
      variables["LD_TRACE_LOADED_OBJECTS"] = "1"
    case let name where name.hasPrefix("ld-musl"): arguments.insert("--list", at: 0)
    default:
      throw LaunchError(
        .cannotLaunch, path: path, message: "its loader \(loader) cannot list the libraries that it would load")
    }
    // Preloaded and audit libraries are meant for the launched program only.
    let environment = LaunchEnvironment().entries(with: variables).filter { !$0.starts(with: "LD_AUDIT=".utf8) }
    guard let running = try? ToolProcess([loader] + arguments, errors: .hidden, environment: environment) else {
      throw LaunchError(.cannotLaunch, path: path, message: "its loader \(loader) cannot be run")
    }
    return running
  }

  private static func entries(_ loader: ToolProcess, about path: String) throws(LaunchError) -> [Entry] {
    let run = loader.finish(largest: mostBytes, seconds: 60)
    guard run.status == 0, run.output.count <= mostBytes else {
      throw LaunchError(.cannotLaunch, path: path, message: "its loader did not list the libraries that it would load")
    }
    return String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap(entry)
  }

  /// `\tlibc.so.6 => /lib/libc.so.6 (0x…)`, `\tlibx.so => not found`, or only a path. The vDSO has neither form.
  static func entry(_ line: Substring) -> (name: String, path: String?)? {
    let line = line.drop { $0 == "\t" || $0 == " " }
    let parts = line.ranges(of: " => ").first.map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
    let place = parts?.1 ?? line
    if place == "not found" { return (String(parts?.0 ?? ""), nil) }
    let path = place.ranges(of: " (0x").last.map { place[..<$0.lowerBound] } ?? place
    guard path.contains("/") else { return nil }
    return (fileName(String(parts?.0 ?? path)), String(path))
  }
}
