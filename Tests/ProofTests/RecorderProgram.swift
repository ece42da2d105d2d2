// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// A C program that contains the recorder.
enum RecorderProgram {
  private static let recorder = PackageRoot.appending("Sources/CLaunchRecorder")
  private static let options = ["-std=gnu17", "-O2", "-I\(recorder)/include"]

  /// Compiles the source file at `main`, with the recorder, into the file `name` in `directory`. Returns the file's path.
  static func compile(
    _ main: String, to name: String = "program", _ options: [String] = [], in directory: TemporaryDirectory,
    compiler: String = "gcc"
  ) throws -> String {
    let program = directory.appending(name)
    try Compiler.run(
      compiler,
      Self.options + [main] + objects(compiler, options.filter { $0.hasPrefix("-f") && !$0.hasPrefix("-fuse-ld") })
        + ["-lpthread", "-o", program] + options, in: directory)
    return program
  }

  /// The recorder's object files, by compiler and options. Each is made once.
  private static let made = Mutex<[[String]: TemporaryDirectory]>([:])

  private static func objects(_ compiler: String, _ options: [String]) throws -> [String] {
    let directory = try made.withLock { made in
      let key = [compiler] + options
      if let directory = made[key] { return directory }
      let directory = try TemporaryDirectory()
      let sources = try FileManager.default.contentsOfDirectory(atPath: recorder).filter {
        $0.hasSuffix(".c") || $0.hasSuffix(".S")
      }
      try Compiler.run(compiler, Self.options + options + ["-c"] + sources.map { "\(recorder)/\($0)" }, in: directory)
      // What a static variable holds stays until the process ends.
      if made.isEmpty { atexit { RecorderProgram.made.withLock { $0.removeAll() } } }
      made[key] = directory
      return directory
    }
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).map(directory.appending)
  }
}
