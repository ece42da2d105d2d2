// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A C program that contains the recorder.
enum RecorderProgram {
  /// Compiles the source file at `main`, with the recorder, into a program in `directory`. Returns the program's path.
  static func compile(_ main: String, in directory: TemporaryDirectory) throws -> String {
    let recorder = PackageRoot.appending("Sources/CLaunchRecorder")
    let sources = try FileManager.default.contentsOfDirectory(atPath: recorder).filter {
      $0.hasSuffix(".c") || $0.hasSuffix(".S")
    }
    let program = directory.appending("program")
    try Compiler.run(
      "gcc",
      ["-std=gnu17", "-O2", "-I\(recorder)/include", main] + sources.map { "\(recorder)/\($0)" }
        + ["-lpthread", "-o", program], in: directory)
    return program
  }
}
