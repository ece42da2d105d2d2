import Glibc
import LaunchSymbols

/// Fresh copies of the programs of a live comparison: made alike, at paths of the same length.
///
/// A byte-identical file at another place is another program to the machine: its pages lie elsewhere in the page cache, and
/// its path is longer or shorter. Launches of 3 ms were seen to differ by 6 % for that alone.
struct ProgramCopies: ~Copyable {
  /// What to launch, in the order of the programs given.
  private(set) var paths: [String]
  /// Why the programs are launched where they are; nil when they were copied.
  let reason: String?
  private var directories: [String] = []

  /// - Parameters:
  ///   - programs: paths, or names to look up in PATH.
  ///   - parent: a directory on whose file system they are to lie, which exists.
  init(of programs: [String], in parent: String, inPlace: Bool) {
    paths = programs
    if inPlace {
      reason = "as --in-place asks for"
      return
    }
    let found = programs.map(Self.located)
    if let obstacle = zip(programs, found).lazy.compactMap({ Self.obstacle($0, $1) }).first {
      reason = obstacle
      return
    }
    // One name for all: argv[0] counts, too.
    let name = found.last??.split(separator: "/").last.map(String.init) ?? "program"
    for (number, path) in found.enumerated() {
      guard let path, let directory = Self.makeDirectory(parent, number) else { break }
      directories.append(directory)
      guard Self.copy(path, to: directory + "/" + name) else { break }
      paths[number] = directory + "/" + name
    }
    let isDone = zip(programs, paths).allSatisfy { $0 != $1 }
    reason = isDone ? nil : "they cannot be copied to \(parent): \(systemMessage(errno))"
    if !isDone { paths = programs }
  }

  deinit {
    for directory in directories {
      for name in TraceArguments.fileNames(of: directory) where name != "." && name != ".." {
        unlink(directory + "/" + name)
      }
      rmdir(directory)
    }
    if let first = directories.first { rmdir(String(first.dropLast(2))) }
  }

  private static func located(_ program: String) -> String? {
    if program.contains("/") { return program }
    return (environment("PATH") ?? "").split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Why a program cannot be launched from elsewhere.
  private static func obstacle(_ program: String, _ path: String?) -> String? {
    guard let path, let file = try? ELFFile(path: path) else {
      return "\(shown(program)) is no ELF program that could be copied"
    }
    if file.searchPaths.contains(where: { $0.contains("ORIGIN") }) {
      return "\(shown(program)) looks for its libraries beside itself"
    }
    return nil
  }

  /// `parent/.programs/N`.
  private static func makeDirectory(_ parent: String, _ number: Int) -> String? {
    let programs = (parent.hasSuffix("/") ? parent : parent + "/") + ".programs"
    let directory = "\(programs)/\(number)"
    mkdir(programs, 0o700)
    return mkdir(directory, 0o700) == 0 ? absolute(directory) : nil
  }

  private static func absolute(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func copy(_ source: String, to target: String) -> Bool {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return false }
    defer { close(input) }
    var facts = stat()
    guard fstat(input, &facts) == 0 else { return false }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (facts.st_mode & 0o777) | 0o700)
    guard output >= 0 else { return false }
    var block = [UInt8](repeating: 0, count: 1 << 20)
    var error: Int32 = 0
    while error == 0 {
      let count = read(input, &block, block.count)
      if count == 0 { break }
      error =
        count < 0 ? errno : block.withUnsafeBytes { writeAll(output, UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    // Written back now, and not while launches are timed.
    if error == 0, fsync(output) != 0 { error = errno }
    close(output)
    errno = error
    return error == 0
  }
}
