// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem
import LaunchTrace

/// Finds the files that arguments name.
enum TraceArguments {
  /// Replaces a directory by the traces in it, and a pattern by the files that match, in the order of `CountingOrder`. If
  /// only directories match, it is replaced by their traces. `-` is the standard input. A file that several arguments name
  /// is there once, because a launch does not count twice.
  static func resolve(_ arguments: [String]) throws(FileError) -> [String] {
    var paths: [String] = []
    for argument in arguments { paths += try resolve(argument) }
    var seen: Set<FileIdentity> = []
    let once = paths.filter { path in FileIdentity(path).map { seen.insert($0).inserted } ?? true }
    let repeated = paths.count - once.count
    if repeated > 0 {
      tell("\(repeated) of \(paths.count) traces \(repeated == 1 ? "is" : "are") named again; each launch counts once")
    }
    return once
  }

  private struct FileIdentity: Hashable {
    var device: UInt64
    var number: UInt64

    /// Only regular files have one: a pipe may be read several times.
    init?(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }
  }

  /// The files that the arguments of a command name.
  ///
  /// - Parameter orRecent: without arguments, those of the latest recording.
  static func files(_ arguments: [String], orRecent: Bool = false) throws(FileError) -> [String] {
    orRecent && arguments.isEmpty ? try RecentRecording.traces() : try resolve(arguments)
  }

  private static func resolve(_ argument: String) throws(FileError) -> [String] {
    // As for other commands. A file of this name can be named as ./-.
    if argument == "-" { return ["/dev/stdin"] }
    if isDirectory(argument) {
      let files = files(in: argument)
      guard !files.isEmpty else { throw hasNoTraces(argument) }
      return files
    }
    guard let matches = try matches(of: argument) else { return [argument] }
    let plain = matches.filter { !isDirectory($0) }
    guard plain.isEmpty else { return plain }
    var traces: [String] = []
    for directory in matches {
      let files = files(in: directory)
      // Else it would be left out without a word.
      guard !files.isEmpty || directoriesWithTraces(in: directory).isEmpty else {
        var error = hasNoTraces(directory)
        error.message += "; name them, too, or a pattern without this directory"
        throw error
      }
      traces += files
    }
    guard !traces.isEmpty else {
      throw FileError(
        path: argument, message: "only directories without \(TraceFile.fileExtension) files match the pattern")
    }
    return traces
  }

  private static func hasNoTraces(_ directory: String) -> FileError {
    FileError(
      path: directory, message: "the directory contains no \(TraceFile.fileExtension) files" + inner(directory))
  }

  private static func directoriesWithTraces(in directory: String) -> [String] {
    fileNames(in: directory).sorted().filter { !files(in: "\(directory)/\($0)").isEmpty }
  }

  /// The end of a sentence: which directories in this one have traces, such as those of the two sides of a comparison. Or
  /// how to name the files that are there, which may be of other tools.
  private static func inner(_ directory: String) -> String {
    let found = directoriesWithTraces(in: directory)
    guard let first = found.first else {
      let files = fileNames(in: directory).filter { !$0.hasPrefix(".") && !isDirectory("\(directory)/\($0)") }
      guard !files.isEmpty else { return "" }
      let endings = Dictionary(grouping: files) { name in name.lastIndex(of: ".").map { String(name[$0...]) } ?? "" }
      let ending = endings.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? ""
      let prefix = directory.hasSuffix("/") ? directory : directory + "/"
      return "; to name traces of other tools, write a pattern, such as '\(prefix)*\(ending)'"
    }
    return found.count == 1 ? "; \(first) in it has some" : "; \(first) and \(found[1]) in it have some"
  }

  /// The files of a directory with one of these extensions, in the order of `CountingOrder`.
  static func files(in directory: String, _ extensions: [String] = [TraceFile.fileExtension]) -> [String] {
    let prefix = directory == "." ? "" : directory.hasSuffix("/") ? directory : directory + "/"
    let names = fileNames(in: directory).filter { name in
      !name.hasPrefix(".") && extensions.contains { name.hasSuffix($0) }
    }
    return names.sorted(by: CountingOrder.precedes).map { prefix + $0 }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The files and directories that match a pattern; nil if the text has no pattern, or is the name of a file.
  static func matches(of pattern: String) throws(FileError) -> [String]? {
    guard access(pattern, F_OK) != 0, pattern.contains(where: { "*?[".contains($0) }) else { return nil }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else {
      throw FileError(path: pattern, message: "no file matches the pattern")
    }
    return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
      .sorted(by: CountingOrder.precedes)
  }
}

/// The traces that `record` wrote last into the current directory.
enum RecentRecording {
  /// The newest trace, or the traces of the newest series if that is newer.
  static func traces() throws(FileError) -> [String] {
    let names = fileNames(in: ".")
    let files = names.filter { $0.hasSuffix(TraceFile.fileExtension) && !isDirectory($0) }
    let series = names.filter { $0.hasSuffix(TraceFile.seriesExtension) && isDirectory($0) }
    let candidates =
      files.map { (path: $0, traces: [$0]) } + series.map { (path: $0, traces: TraceArguments.files(in: $0)) }
    let newestFirst = candidates.sorted { left, right in
      let (first, second) = (newestChange(left.traces), newestChange(right.traces))
      return first != second ? first > second : left.path > right.path
    }
    // The directory may contain other files.
    let newest = newestFirst.lazy.map { (path: $0.path, traces: $0.traces.filter(isTrace)) }.first {
      !$0.traces.isEmpty
    }
    guard let newest else {
      throw FileError(
        path: "",
        message: "the current directory has no recording; name a trace, or record one: launchprof record -- program")
    }
    tell("Using the latest recording, \(newest.path)")
    return newest.traces
  }

  /// Whether the file begins like a trace. Prints a message if it does not.
  private static func isTrace(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    let head = [UInt8](unsafeUninitializedCapacity: 1 << 16) { $1 = max(0, read(file, $0.baseAddress, $0.count)) }
    if head.withUnsafeBytes({ (try? TraceReader().read(bytes: $0)) != nil }) { return true }
    tell("Skipped \(path): it is not a trace")
    return false
  }

  /// Since 1970: seconds, and ns of the second.
  private static func newestChange(_ paths: [String]) -> (Int, Int) {
    paths.map { path in
      var facts = stat()
      return stat(path, &facts) == 0 ? (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec) : (0, 0)
    }.max(by: <) ?? (0, 0)
  }
}
