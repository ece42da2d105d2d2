import Glibc
import LaunchObserver
import LaunchSymbols
import LaunchTrace

/// Descriptions of programs' files, each read once.
final class ImageDescriptions: @unchecked Sendable {
  // Unchecked, because launches follow each other on one thread.
  private var known: [String: ImageDescription?] = [:]

  func description(of path: String) -> ImageDescription? {
    if let answer = known[path] { return answer }
    let answer = Self.read(path)
    known[path] = answer
    return answer
  }

  private static func read(_ path: String) -> ImageDescription? {
    guard let closure = try? LibraryClosure(of: path) else { return nil }
    let files = [closure.program] + closure.libraries.map(\.file)
    return ImageDescription(
      libraries: closure.libraries.map(\.name) + closure.missing,
      libraryBytes: closure.libraries.reduce(0) { $0 + $1.file.size },
      relocations: files.reduce(0) { $0 + $1.relocationCount },
      initializers: files.reduce(0) { $0 + $1.initializerCount }, bytes: closure.program.size,
      toolchain: closure.program.toolchain, buildID: closure.program.buildID)
  }
}
