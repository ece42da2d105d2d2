// SPDX-License-Identifier: Apache-2.0

internal import LaunchObserver
internal import LaunchSystem
internal import LaunchTrace

/// Where the traces of a bench go by default.
enum BenchPlace {
  /// - Throws: `LaunchError.cannotWrite`.
  static func make(for program: String) throws(LaunchError) -> String {
    for name in fileNames(in: ".") where name.hasSuffix(".bench") { ProgramCopies.clearAbandoned(in: name) }
    let stem = "\(fileName(program))-\(localTimeStamp())"
    for attempt in 1...1000 {
      let path = stem + (attempt == 1 ? "" : "_\(attempt)") + ".bench"
      if mkdir(path, 0o777) == 0 { return path }
      guard errno == EEXIST else { break }
    }
    let error = errno
    throw LaunchError(
      .cannotWrite, path: stem + ".bench",
      message:
        "cannot create the directory: \(systemMessage(error)); work in another directory, "
        + "or choose one with --traces of bench and gate",
      errno: error)
  }

  /// Nothing stays of launches that were not made.
  static func removeIfEmpty(_ directory: String) {
    for path in [join(directory, "base"), join(directory, "head"), directory] { rmdir(path) }
  }

  /// Whether it has traces of before, for one of both sides or for a program alone.
  static func hasTraces(_ directory: String) -> Bool {
    [directory, join(directory, "base"), join(directory, "head")]
      .contains { fileNames(in: $0).contains { $0.hasSuffix(TraceFile.fileExtension) } }
  }

  static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }
}
