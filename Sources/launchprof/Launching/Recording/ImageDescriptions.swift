// SPDX-License-Identifier: Apache-2.0

import LaunchObserver
import LaunchSymbols
import LaunchTrace

/// Descriptions of programs' files, each read once.
final class ImageDescriptions: @unchecked Sendable {
  // Unchecked, because launches follow each other on one thread.
  private var known: [String: ImageDescription?] = [:]

  /// Begins to read them. The result waits until they are read; nil if they cannot be read.
  func description(of path: String) -> () -> ImageDescription? {
    if let answer = known[path] { return { answer } }
    let question = try? LibraryClosure.Question(about: path)
    return { [self] in
      let answer = question.flatMap { try? $0.answer() }.map(Self.description)
      known[path] = answer
      return answer
    }
  }

  private static func description(_ closure: LibraryClosure) -> ImageDescription {
    let files = [closure.program] + closure.libraries.map(\.file)
    return ImageDescription(
      libraries: closure.libraries.map(\.name) + closure.missing,
      libraryBytes: closure.libraries.reduce(0) { $0 + $1.file.size },
      relocations: files.reduce(0) { $0 + $1.relocationCount },
      initializers: files.reduce(0) { $0 + $1.initializerCount }, bytes: closure.program.size,
      toolchain: closure.program.toolchain, buildID: closure.program.buildID)
  }
}
