// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// Where the traces of a series are written.
///
/// A file is created before its launch. So if the place is not writable, the error comes before the program runs.
/// - Only a file that the user named is overwritten.
/// - In a directory, by default the current one, traces are named `<program>-<date>-<time>.pftrace`, and those of
///   several runs `<program>-<date>-<time>-<n>.pftrace`.
/// - Several runs without a given place get their own directory, `<program>-<date>-<time>.launches`.
package struct TracePlace: Sendable, Equatable {
  /// A file or a directory for people: the argument for `report`.
  package private(set) var path: String
  private let directory: String?
  private let stem: String
  private let digits: Int?
  /// The directory was created here.
  private let isNewDirectory: Bool

  /// - Parameters:
  ///   - output: a file; or a directory: an existing one, a path that ends with a slash, or any path if there are
  ///     several runs; nil for the default.
  ///   - option: of the command, which names another place; nil if it has none.
  ///   - stamp: date and time of the series.
  /// - Throws: `LaunchError`: `wrongPlace`; `cannotWrite` if the directory cannot be created.
  package init(
    output: String?, program: String, runs: Int, option: String? = "-o", stamp: String = localTimeStamp()
  ) throws(LaunchError) {
    stem = "\(Self.safeName(program))-\(stamp)"
    digits = runs > 1 ? String(runs).count : nil
    guard let output else {
      let series = runs > 1 ? try Self.makeSeriesDirectory(stem) : nil
      isNewDirectory = series != nil
      directory = series ?? ""
      path = series ?? stem + TraceFile.fileExtension
      return
    }
    isNewDirectory = access(output, F_OK) != 0
    guard !output.isEmpty, !output.utf8.contains(0) else {
      throw LaunchError(.wrongPlace, path: output, message: "the name is empty or contains a zero byte")
    }
    // Elsewhere, this means standard output. That is the program's here.
    guard output != "-" else {
      throw LaunchError(.wrongPlace, path: output, message: "a trace cannot go to standard output; name a file")
    }
    let isNamed = output.hasSuffix("/") || isDirectory(output)
    guard isNamed || runs <= 1 || (isNewDirectory && !output.hasSuffix(TraceFile.fileExtension)) else {
      throw LaunchError(
        .wrongPlace, path: output, message: "\(runs) runs write \(runs) traces; name a directory for them")
    }
    path = output
    directory = isNamed || runs > 1 ? output : nil
    if let directory { try Self.make(directory, option) }
  }

  /// Opens the file for the run with this number, from 1.
  ///
  /// - Parameter interruption: the signal that asks the launcher to stop; nil as long as there is none.
  /// - Throws: `LaunchError.cannotWrite`; `interrupted` if the signal comes while a named pipe waits for its reader.
  func open(run: Int, interruption: @escaping () -> Int32? = { nil }) throws(LaunchError) -> TraceOutput {
    guard let directory else { return try TraceOutput(path: path, exclusive: false, interruption: interruption) }
    let number = digits.map { digits in
      let text = String(run)
      return "-" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    // The program of the run before may have removed it.
    if !directory.isEmpty { try Self.make(directory, "-o") }
    let base = directory.isEmpty || directory.hasSuffix("/") ? directory : directory + "/"
    let name = "\(base)\(stem)\(number ?? "")"
    // Launches in the same second get a number to distinguish them.
    for attempt in 1...Self.attempts {
      do { return try TraceOutput(path: name + Self.suffix(attempt) + TraceFile.fileExtension, exclusive: true) } catch
      {
        guard error.errno == EEXIST else { throw error }
      }
    }
    throw LaunchError(.cannotWrite, path: name + TraceFile.fileExtension, message: "exists already", errno: EEXIST)
  }

  private static let attempts = 10_000

  private static func suffix(_ attempt: Int) -> String { attempt == 1 ? "" : "_\(attempt)" }

  /// Always a new directory, so that the launches of two series are not mixed.
  private static func makeSeriesDirectory(_ stem: String) throws(LaunchError) -> String {
    for attempt in 1...attempts {
      let path = stem + suffix(attempt) + TraceFile.seriesExtension
      if mkdir(path, 0o777) == 0 { return path }
      if errno != EEXIST { throw cannotMake(path, errno) }
    }
    throw cannotMake(stem + TraceFile.seriesExtension, EEXIST)
  }

  private static func make(_ directory: String, _ option: String?) throws(LaunchError) {
    do { try makeDirectories(directory) } catch { throw cannotMake(error.path, error.errno, option) }
  }

  private static func cannotMake(_ path: String, _ error: Int32, _ option: String? = "-o") -> LaunchError {
    LaunchError(
      .cannotWrite, path: path,
      message: "cannot create the directory: \(systemMessage(error))"
        + (option.map { "; choose another one with \($0)" } ?? ""),
      errno: error)
  }

  /// Removes the directory if it was created for this series and is empty.
  package func removeIfEmpty() {
    if isNewDirectory, let directory, !directory.isEmpty { rmdir(directory) }
  }

  /// The program's name in a form that is a valid file name everywhere and does not look like an option.
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
