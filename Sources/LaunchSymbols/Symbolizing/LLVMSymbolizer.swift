// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Runs LLVM's `llvm-symbolizer`, which reads DWARF: https://llvm.org/docs/CommandGuide/llvm-symbolizer.html
///
/// It runs in its own process, so that files on which it crashes do no harm here.
package struct LLVMSymbolizer: Sendable {
  /// The executable.
  package let path: String
  /// Others, for the case that this one fails: versions before LLVM 13 write no JSON.
  private let others: ArraySlice<String>
  /// Time limit of one process in seconds.
  package var timeLimit = 30

  /// - Parameter paths: not empty.
  package init(_ paths: ArraySlice<String>) { (path, others) = (paths[paths.startIndex], paths.dropFirst()) }

  /// The tool of the Swift toolchain in PATH, or that in PATH, or Debian's newest one. The toolchain's is linked statically
  /// and starts in 4 ms, Debian's in 36 (an AMD EPYC, no other load).
  package static func find(in directories: [String] = environmentPath().split(separator: ":").map(String.init))
    -> LLVMSymbolizer?
  {
    let beside = directories.compactMap { realPath("\($0)/swift").map(directoryName) }
    let candidates =
      (beside + directories).map { "\($0)/llvm-symbolizer" }
      + (14...30).reversed().flatMap { version in directories.map { "\($0)/llvm-symbolizer-\(version)" } }
    let found = candidates.filter { access($0, X_OK) == 0 }
    return found.isEmpty ? nil : LLVMSymbolizer(found[...])
  }

  /// The number of arguments of one process, far below the system's limit.
  private static let batch = 4000

  /// The functions at each address of each file, the innermost inlined function first. Empty if the tool does not know
  /// them. nil for a file for which it fails, or takes too long. The tool reads several files at once.
  func frames(in files: [(path: String, addresses: [UInt64])]) -> [[[SourceFrame]]?] {
    var (frames, isStopped) = ownFrames(in: files)
    let hasFailed = !files.isEmpty && frames.allSatisfy { $0 == nil }
    // Where this tool was stopped because it hung, other tools would hang too, each for the whole time limit.
    let rest = files.indices.filter { !isStopped[$0] }
    guard hasFailed, !rest.isEmpty, !others.isEmpty else { return frames }
    var other = LLVMSymbolizer(others)
    other.timeLimit = timeLimit
    for (file, found) in zip(rest, other.frames(in: rest.map { files[$0] })) { frames[file] = found }
    return frames
  }

  /// - Returns: also by file whether a process was stopped before the end of its output.
  private func ownFrames(
    in files: [(path: String, addresses: [UInt64])]
  ) -> (frames: [[[SourceFrame]]?], isStopped: [Bool]) {
    let batches = files.enumerated().flatMap { file, wanted in
      stride(from: 0, to: wanted.addresses.count, by: Self.batch).map { start in
        (file, wanted.addresses[start..<min(wanted.addresses.count, start + Self.batch)])
      }
    }
    let runs = runs(of: batches.map { command(files[$0].path, $1) })
    var frames = [[[SourceFrame]]?](repeating: [], count: files.count)
    var isStopped = [Bool](repeating: false, count: files.count)
    for ((file, addresses), run) in zip(batches, runs) {
      if run?.isComplete == false { isStopped[file] = true }
      let answers = Self.frames(run?.output ?? [])
      frames[file] = answers.count == addresses.count ? frames[file].map { $0 + answers } : nil
    }
    return (frames, isStopped)
  }

  private func command(_ file: String, _ addresses: ArraySlice<UInt64>) -> [String] {
    let options = ["--output-style=JSON", "--no-demangle", "--obj=\(file)"]
    return [path] + options + addresses.map { "0x" + String($0, radix: 16) }
  }

  private static let outputLimit = 256 << 20

  /// nil for one that cannot run. As many run at once as there are processors.
  private func runs(of commands: [[String]]) -> [ToolRun?] {
    let most = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var (runs, running): ([ToolRun?], [ToolProcess?]) = ([], [])
    func finishOne() {
      runs.append(running[runs.count]?.finish(largest: Self.outputLimit, seconds: timeLimit))
    }
    for command in commands {
      if running.count - runs.count >= most { finishOne() }
      running.append(try? ToolProcess(command, errors: .hidden, environment: []))
    }
    while runs.count < running.count { finishOne() }
    return runs
  }

  /// In the order of the addresses.
  private static func frames(_ output: [UInt8]) -> [[SourceFrame]] {
    output.withUnsafeBytes { JSONView($0)?.elements(Self.frames(of:)) } ?? []
  }

  private static func frames(of answer: JSONView) -> [SourceFrame] {
    let frames = answer["Symbol"]?.elements { symbol -> SourceFrame? in
      guard let function = symbol["FunctionName"]?.string, !function.isEmpty else { return nil }
      let line = symbol["Line"]?.integer ?? 0
      return line > 0
        ? SourceFrame(mangledName: function, file: symbol["FileName"]?.string ?? "", line: Int(line))
        : SourceFrame(mangledName: function)
    }
    // Without a line, the tool only guesses the nearest symbol.
    return frames?.contains { $0.line > 0 } == true ? frames ?? [] : []
  }

  package static func environmentPath() -> String { getenv("PATH").map { String(cString: $0) } ?? "" }
}
