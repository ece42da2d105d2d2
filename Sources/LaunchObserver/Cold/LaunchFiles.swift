// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The files that a launch of a program will read, as far as known before it has run.
struct LaunchFiles {
  private(set) var paths: Set<String> = []
  private let environment: LaunchEnvironment

  /// - Parameters:
  ///   - program: a path; searched in `PATH` if it has no slash.
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
    ProgramSearch(program, path: environment.bytes("PATH")).firstExecutable
  }

  /// Adds the executable, its interpreter, and the libraries that it links.
  private mutating func add(executable path: String, depth: Int) {
    // The kernel follows at most four scripts whose interpreter is a script (execve(2)).
    guard depth < 5, paths.insert(path).inserted else { return }
    let head = ExecutableHead(path: path)
    guard let interpreter = head.interpreter else { return }
    if head.isScript {
      add(executable: interpreter, depth: depth + 1)
      // `#!/usr/bin/env python3`, `#!/usr/bin/env -S NAME=value python3 -u`
      let words = fileName(interpreter) == "env" ? head.scriptArgument?.split(separator: " ") : nil
      let names = (words ?? []).filter { !$0.hasPrefix("-") && !$0.contains("=") }
      if let found = names.compactMap({ find(String($0)) }).first {
        add(executable: found, depth: depth + 1)
      }
    } else {
      paths.formUnion([interpreter, "/etc/ld.so.cache"])
      paths.formUnion((try? LibraryClosure.paths(of: path, loader: interpreter)) ?? [])
    }
  }
}
