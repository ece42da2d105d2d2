import Glibc

/// Where the traces of a series go.
///
/// A file is made before its launch, so that a place that cannot be written to is an error before the program runs.
/// - a file that was asked for by name is written over; nothing else is;
/// - in a directory, and by default in the current one, traces are named `<program>-<date>-<time>.pftrace`, and those
///   of several runs `<program>-<date>-<time>-<n>.pftrace`;
/// - several runs with no place given get a directory of their own, `<program>-<date>-<time>.launches`.
package struct TracePlace: Sendable, Equatable {
  /// A file or a directory for people: what to give to `report`.
  package private(set) var path: String
  private let directory: String?
  private let stem: String
  private let digits: Int?
  /// Made here, and not there before.
  private let isNewDirectory: Bool

  package static let fileExtension = ".pftrace"
  package static let seriesExtension = ".launches"

  /// - Parameters:
  ///   - output: a file; or a directory: one that exists, or a path that ends with a slash, or any path when there are
  ///     several runs; nil for the default.
  ///   - stamp: date and time of the series.
  /// - Throws: `LaunchError.cannotWrite` when the directory cannot be made.
  package init(output: String?, program: String, runs: Int, stamp: String = localTimeStamp()) throws(LaunchError) {
    stem = "\(Self.safeName(program))-\(stamp)"
    digits = runs > 1 ? String(runs).count : nil
    guard let output else {
      let series = runs > 1 ? try Self.makeSeriesDirectory(stem) : nil
      isNewDirectory = series != nil
      directory = series ?? ""
      path = series ?? stem + Self.fileExtension
      return
    }
    isNewDirectory = access(output, F_OK) != 0
    guard !output.isEmpty, !output.utf8.contains(0) else {
      throw LaunchError(.cannotWrite, path: output, message: "the name is empty or contains a zero byte")
    }
    if output.hasSuffix("/") || isDirectory(output) {
      directory = output
      path = output
      try makeDirectories(output)
    } else if runs > 1 {
      guard !output.hasSuffix(Self.fileExtension), access(output, F_OK) != 0 else {
        throw LaunchError(
          .cannotWrite, path: output, message: "\(runs) runs write \(runs) traces; name a directory for them")
      }
      directory = output
      path = output
      try makeDirectories(output)
    } else {
      directory = nil
      path = output
    }
  }

  /// Opens the file for a run, which is given by its number from 1.
  ///
  /// - Throws: `LaunchError.cannotWrite`.
  func open(run: Int) throws(LaunchError) -> TraceOutput {
    guard let directory else { return try TraceOutput(path: path, exclusive: false) }
    let number = digits.map { digits in
      let text = String(run)
      return "-" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let base = directory.isEmpty || directory.hasSuffix("/") ? directory : directory + "/"
    let name = "\(base)\(stem)\(number ?? "")"
    // Launches of one second are told apart by a number more.
    for attempt in 1...Self.attempts {
      do { return try TraceOutput(path: name + Self.suffix(attempt) + Self.fileExtension, exclusive: true) } catch {
        guard error.errno == EEXIST else { throw error }
      }
    }
    throw LaunchError(.cannotWrite, path: name + Self.fileExtension, message: "exists already", errno: EEXIST)
  }

  private static let attempts = 10_000

  private static func suffix(_ attempt: Int) -> String { attempt == 1 ? "" : "_\(attempt)" }

  /// One that is not there yet: the launches of two series are not to be mixed.
  private static func makeSeriesDirectory(_ stem: String) throws(LaunchError) -> String {
    for attempt in 1...attempts {
      let path = stem + suffix(attempt) + seriesExtension
      if mkdir(path, 0o777) == 0 { return path }
      if errno != EEXIST { throw cannotMake(path, errno) }
    }
    throw cannotMake(stem + seriesExtension, EEXIST)
  }

  fileprivate static func cannotMake(_ path: String, _ error: Int32) -> LaunchError {
    LaunchError(
      .cannotWrite, path: path, message: "cannot create the directory: \(describe(error)); choose another one with -o",
      errno: error)
  }

  /// Removes the directory if it was made for this series and nothing was written into it.
  package func removeIfEmpty() {
    if isNewDirectory, let directory, !directory.isEmpty { rmdir(directory) }
  }

  /// A program's file name that can be one everywhere, and cannot be mistaken for an option.
  private static func safeName(_ program: String) -> String {
    let kept = fileName(program).unicodeScalars.map { scalar -> Character in
      scalar.properties.generalCategory == .control || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
        ? "_" : Character(scalar)
    }
    let name = String(kept.prefix(64))
    return name.isEmpty ? "program" : name.hasPrefix("-") || name.hasPrefix(".") ? "_" + name.dropFirst() : name
  }
}

/// `yyyymmdd-hhmmss`, local time.
package func localTimeStamp() -> String {
  var now = time(nil)
  var parts = tm()
  localtime_r(&now, &parts)
  func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))-"
    + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
}

func isDirectory(_ path: String) -> Bool {
  var facts = stat()
  return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
}

/// mkdir -p
func makeDirectories(_ path: String) throws(LaunchError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for component in path.split(separator: "/") {
    made += component + "/"
    guard mkdir(made, 0o777) != 0, !(errno == EEXIST && isDirectory(made)) else { continue }
    let error = errno
    if error == EEXIST || !isDirectory(made) { throw TracePlace.cannotMake(path, error) }
  }
}
