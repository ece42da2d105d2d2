// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchAnalysis
internal import LaunchSystem

/// The programs of commits. Each is built once, and found by the hash of the commit's files.
final class CommitBuilds {
  private let repository: CommitRepository
  private let command: String
  /// Where the build puts the program, relative to the working tree's root.
  let program: String
  private let place: String
  /// Number of builds so far.
  private(set) var count = 0
  /// Whether the last build ended well, but made no file of the program's name.
  private(set) var isProgramMissing = false

  init(_ repository: CommitRepository, command: String, program: String) throws(CommitError) {
    (self.repository, self.command, self.program) = (repository, command, program)
    place = "\(repository.place)/\(Self.key([command, program]))"
    try CommitRepository.make(place)
  }

  private var tree: String { place + "/tree" }
  /// The output of the last build.
  var log: String { place + "/build.log" }

  /// FNV-1a hash, as a directory name.
  static func key(_ words: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in words.joined(separator: "\0").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  /// The path of a commit's program; nil for a commit that does not build.
  ///
  /// - Parameter isNeeded: whether to build a commit again that did not build before: the machine may have been at fault.
  /// - Throws: `CommitError` when git fails, the program cannot be kept, or the user asks to stop.
  func program(of commit: String, isNeeded: Bool = false) throws(CommitError) -> String? {
    let kept = "\(place)/\(try repository.tree(of: commit))"
    let path = "\(kept)/\(fileName(program))"
    if access(path, F_OK) == 0 { return path }
    let mark = kept + Self.broken
    if !isNeeded, access(mark, F_OK) == 0 { return nil }
    unlink(mark)
    // Otherwise an earlier commit's program would be taken for this one's. A program that git tracks is checked out.
    unlink("\(tree)/\(program)")
    try repository.checkOut(commit, in: tree)
    count += 1
    let status = try ShellCommand(arguments: ["/bin/sh", "-c", command], directory: tree).run(log: log)
    isProgramMissing = status == 0 && access("\(tree)/\(program)", F_OK) != 0
    guard status == 0, !isProgramMissing else {
      close(open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
      return nil
    }
    try keep(in: kept)
    return path
  }

  /// The root of a working tree with the files of a commit, where its launches find them. Each side of a comparison has
  /// its own.
  ///
  /// - Throws: `CommitError` when git fails.
  func files(of commit: String, for side: RoundOrder.Side) throws(CommitError) -> String {
    let directory = "\(place)/\(side.rawValue)"
    try repository.checkOut(commit, in: directory)
    return directory
  }

  /// How the name of the file ends that says that a commit does not build. It is beside the directory of the commit, in which
  /// the program may have any name.
  private static let broken = ".broken"

  /// Forgets which commits did not build.
  func forgetBroken() {
    for name in fileNames(in: place) where name.hasSuffix(Self.broken) { unlink("\(place)/\(name)") }
  }

  /// Copies the program, and the files that must be beside it, out of the working tree: completely, or not at all.
  private func keep(in directory: String) throws(CommitError) {
    let source = "\(tree)/\(program)"
    var files = [fileName(program)]
    let folder = directoryName(source)
    if let elf = try? ProgramFiles(source) { files += elf.libraries + elf.bundles }
    let part = directory + ".part"
    // Earlier versions left a directory for a commit that did not build.
    _ = try ShellCommand(arguments: ["rm", "-rf", part, directory], directory: place).run(log: log)
    try CommitRepository.make(part)
    let copy = ["cp", "-a", "-L", "--parents"] + files.map { "./" + $0 } + [part]
    guard try ShellCommand(arguments: copy, directory: folder).run(log: log) == 0 else {
      throw cannotKeep(source, in: directory)
    }
    // Before the program has its place, where the next search would find it.
    if let library = (try? ProgramFiles("\(part)/\(fileName(program))"))?.libraryBelow(tree) {
      throw CommitError(
        code: .cannotBuild, subject: program,
        message: "finds \(library) by the place where it was built; link it with -rpath '$ORIGIN', or statically")
    }
    guard rename(part, directory) == 0 else { throw cannotKeep(source, in: directory) }
  }

  private func cannotKeep(_ program: String, in directory: String) -> CommitError {
    CommitError(code: .cannotBuild, subject: program, message: "the program cannot be copied to \(directory): \(log)")
  }

  /// Removes the working tree, and the programs unless they may be needed again.
  func clean(keepingPrograms: Bool) {
    for tree in [tree] + RoundOrder.Side.allCases.map({ "\(place)/\($0.rawValue)" }) where access(tree, F_OK) == 0 {
      // The result is known, and the user gets it, also by asking to stop now.
      try? repository.removeTree(tree)
    }
    if !keepingPrograms { removeTree(place) }
    rmdir(place)
    repository.removePlaceIfEmpty()
  }
}
