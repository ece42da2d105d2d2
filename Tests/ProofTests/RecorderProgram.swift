// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A C program that contains the recorder.
enum RecorderProgram {
  /// Compiles the source file at `main`, with the recorder, into the file `name` in `directory`. Returns the file's path.
  static func compile(
    _ main: String, to name: String = "program", _ options: [String] = [], in directory: TemporaryDirectory,
    compiler: String = "gcc"
  ) throws -> String {
    let recorder = PackageRoot.appending("Sources/CLaunchRecorder")
    let sources = try FileManager.default.contentsOfDirectory(atPath: recorder).filter {
      $0.hasSuffix(".c") || $0.hasSuffix(".S")
    }
    let program = directory.appending(name)
    try Compiler.run(
      compiler,
      ["-std=gnu17", "-O2", "-I\(recorder)/include", main] + sources.map { "\(recorder)/\($0)" }
        + ["-lpthread", "-o", program] + options, in: directory)
    return program
  }
}
