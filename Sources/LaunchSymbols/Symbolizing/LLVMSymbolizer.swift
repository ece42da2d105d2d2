internal import LaunchSystem
internal import LaunchTrace

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs LLVM's `llvm-symbolizer`, which reads DWARF: https://llvm.org/docs/CommandGuide/llvm-symbolizer.html
///
/// It runs in its own process, so that files on which it crashes do no harm here.
package struct LLVMSymbolizer: Sendable {
  /// The executable.
  package let path: String

  package init(path: String) { self.path = path }

  /// The tool in PATH, or that of the Swift toolchain in PATH, or Debian's newest one.
  package static func find(path: String = environmentPath()) -> LLVMSymbolizer? {
    let directories = path.split(separator: ":").map(String.init)
    let beside = directories.compactMap { realPath("\($0)/swift") }.compactMap { swift in
      swift.lastIndex(of: "/").map { String(swift[..<$0]) }
    }
    let candidates =
      (directories + beside).map { "\($0)/llvm-symbolizer" }
      + (14...30).reversed().flatMap { version in directories.map { "\($0)/llvm-symbolizer-\(version)" } }
    return candidates.first { access($0, X_OK) == 0 }.map(LLVMSymbolizer.init)
  }

  /// The number of arguments of one process, far below the system's limit.
  private static let batch = 4000

  /// The functions at each address of a file, the innermost inlined function first. Empty if the tool does not know
  /// them, fails, or takes too long.
  func frames(in file: String, at addresses: [UInt64]) -> [[SourceFrame]] {
    var frames: [[SourceFrame]] = []
    for start in stride(from: 0, to: addresses.count, by: Self.batch) {
      frames += ask(file, Array(addresses[start..<min(addresses.count, start + Self.batch)]))
    }
    return frames
  }

  private func ask(_ file: String, _ addresses: [UInt64]) -> [[SourceFrame]] {
    let arguments = ["--output-style=JSON", "--no-demangle", "--obj=\(file)"]
    let output = ToolProcess(path, arguments + addresses.map { "0x" + String($0, radix: 16) }).output()
    // In the order of the addresses.
    let answers = output.withUnsafeBytes { JSONView($0)?.elements(Self.frames(of:)) } ?? []
    return answers.count == addresses.count ? answers : addresses.map { _ in [] }
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
