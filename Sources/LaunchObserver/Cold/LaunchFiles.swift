import Glibc

/// The files that a launch of a program is known to read before it has run.
struct LaunchFiles {
  private(set) var paths: Set<String> = []
  private let environment: LaunchEnvironment

  /// - Parameters:
  ///   - program: as it is launched; looked up in `PATH` when it has no slash.
  ///   - arguments: those that name files count too: a script, a document.
  init(program: String, arguments: [[UInt8]], environment: LaunchEnvironment) {
    self.environment = environment
    if let path = find(program) { add(executable: path, depth: 0) }
    for argument in arguments where !argument.isEmpty && argument.count < Int(PATH_MAX) {
      let path = String(decoding: argument, as: UTF8.self)
      if isRegular(path) { paths.insert(path) }
    }
  }

  private func find(_ program: String) -> String? {
    ProgramSearch(program, path: environment["PATH"]).candidates.first { isRegular($0) && access($0, X_OK) == 0 }
  }

  /// The executable, what interprets it, and the libraries that it links.
  private mutating func add(executable path: String, depth: Int) {
    // The kernel follows four scripts that name scripts (execve(2)).
    guard depth < 5, paths.insert(path).inserted else { return }
    let head = ExecutableHead(path: path)
    guard let interpreter = head.interpreter else { return }
    if head.isScript {
      add(executable: interpreter, depth: depth + 1)
      // `#!/usr/bin/env python3`
      if fileName(interpreter) == "env", let program = head.scriptArgument?.split(separator: " ").last,
        let found = find(String(program))
      {
        add(executable: found, depth: depth + 1)
      }
    } else {
      paths.insert(interpreter)
      paths.formUnion(Self.libraries(of: path, by: interpreter))
    }
  }

  /// What the loader itself says it would map: `ld.so --list`, which runs nothing of the program (ld.so(8); ldd(1)
  /// does the same).
  private static func libraries(of path: String, by loader: String) -> [String] {
    let absolute = path.hasPrefix("/") ? path : "./" + path
    guard let text = HelperProgram.output(of: loader, ["--list", absolute]) else { return [] }
    return text.split(separator: "\n").compactMap(library)
  }

  /// `\tlibc.so.6 => /lib/libc.so.6 (0x…)`, or a path alone.
  static func library(_ line: Substring) -> String? {
    let parts = line.split(separator: " => ", maxSplits: 1)
    let place = (parts.last ?? "").drop { $0 == "\t" || $0 == " " }
    guard place.hasPrefix("/") else { return nil }
    return place.range(of: " (0x").map { String(place[..<$0.lowerBound]) } ?? String(place)
  }
}

func isRegular(_ path: String) -> Bool {
  var facts = stat()
  return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
}

extension Substring {
  /// Where `text` stands for the last time.
  fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).last }
}
