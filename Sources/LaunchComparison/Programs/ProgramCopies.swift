// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchObserver
internal import LaunchSystem

/// Fresh copies of the programs of a live comparison, at paths of the same length.
///
/// To the machine, a byte-identical file at another path is another program. Its pages are elsewhere in the page
/// cache, and its path has another length. This alone changed launches of 3 ms by 6 %. Libraries beside a program are
/// copied with it; bundles of resources are linked.
struct ProgramCopies: ~Copyable {
  /// The paths to launch, in the order of the given programs.
  private(set) var paths: [String]
  /// Why the programs are launched in place; nil if they were copied.
  private(set) var reason: String?
  /// The signal by which the user asked to stop; then there are no copies.
  private(set) var interruption: Int32?
  /// The created files, links and directories, in order.
  private var made: [String] = []
  /// An open, locked descriptor of the first of them; -1 if there is none.
  private var lock: Int32 = -1

  /// Asks for a signal that arrived. A program may have gigabytes.
  private let askForSignal: () -> Int32?

  private static let prefix = ".programs-"

  /// - Parameters:
  ///   - programs: paths, or names to look up in PATH.
  ///   - parent: an existing directory on the file system for the copies.
  ///   - interruption: asks for a signal that arrived, while the caller watches for them: a signal that ends launchprof would
  ///     leave the copies.
  init(of programs: [String], in parent: String, inPlace: Bool, interruption: @escaping () -> Int32?) {
    (paths, askForSignal) = (programs, interruption)
    if inPlace {
      reason = "--in-place was given"
      return
    }
    do throws(ProgramFiles.Obstacle) {
      var files: [ProgramFiles] = []
      for program in programs { files.append(try ProgramFiles(program)) }
      // A program may do what its name says, so each keeps its own. The directories make up for the lengths of the names,
      // because the length of argv[0] also matters.
      let longest = files.map(\.name.utf8.count).max() ?? 0
      let root = try makePlace(in: realPath(parent) ?? parent)
      var copies: [String] = []
      for (number, file) in files.enumerated() {
        let padding = String(repeating: "_", count: longest - file.name.utf8.count)
        copies.append(try copy(file, to: "\(root)/\(number)\(padding)"))
      }
      paths = copies
      try goOn()
    } catch {
      reason = error.description
      remove()
    }
  }

  deinit {
    remove()
    if lock >= 0 { close(lock) }
  }

  /// The whole place is our own, with what the programs wrote beside themselves.
  private borrowing func remove() { if let place = made.first { removeTree(place) } }

  /// Removes what killed comparisons have left in a directory.
  static func clearAbandoned(in parent: String) {
    LockedDirectory.clearAbandoned(in: parent, prefix: prefix, removeTree)
  }

  /// - Throws: `Obstacle` if the user asked to stop.
  private mutating func goOn() throws(ProgramFiles.Obstacle) {
    interruption = interruption ?? askForSignal()
    if interruption != nil { throw ProgramFiles.Obstacle(description: "interrupted") }
  }

  /// Takes the table of sections away from the copies, which no loader needs: valgrind ends at debug information that it does
  /// not know.
  func hideSections() {
    for path in made {
      let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      var head = [UInt8](repeating: 0, count: 64)
      // Fields of an Elf64_Ehdr: e_shoff, then e_shentsize, e_shnum and e_shstrndx.
      if pread(file, &head, head.count, 0) == head.count, head.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]) {
        let zeros = [UInt8](repeating: 0, count: 8)
        pwrite(file, zeros, 8, 0x28)
        pwrite(file, zeros, 6, 0x3a)
      }
      close(file)
    }
  }

  private mutating func copy(_ program: ProgramFiles, to directory: String) throws(ProgramFiles.Obstacle) -> String {
    try makeDirectory(directory)
    let target = "\(directory)/\(program.name)"
    try copyFile(program.path, to: target)
    for library in program.libraries {
      var folder = directory
      for part in library.split(separator: "/").dropLast() {
        folder += "/\(part)"
        if !made.contains(folder) { try makeDirectory(folder) }
      }
      try copyFile("\(program.directory)/\(library)", to: "\(directory)/\(library)")
    }
    for bundle in program.bundles {
      let link = "\(directory)/\(bundle)"
      guard symlink("\(program.directory)/\(bundle)", link) == 0 else { throw obstacle(link) }
      made.append(link)
    }
    try program.check(copy: target)
    return target
  }

  /// A place of its own: a comparison that was killed leaves its place, and another one may run.
  ///
  /// - Parameter parent: a path that does not depend on the current directory.
  private mutating func makePlace(in parent: String) throws(ProgramFiles.Obstacle) -> String {
    Self.clearAbandoned(in: parent)
    if let place = try? LockedDirectory(in: parent, prefix: Self.prefix) {
      (made, lock) = ([place.path], place.lock)
      return place.path
    }
    // Where the file system has no locks, nothing would clear away what killed comparisons left. So there is only one place.
    let place = "\(parent)/.programs"
    try makeDirectory(place)
    return place
  }

  private mutating func makeDirectory(_ path: String) throws(ProgramFiles.Obstacle) {
    guard mkdir(path, 0o700) == 0 else { throw obstacle(path) }
    made.append(path)
  }

  private mutating func copyFile(_ source: String, to target: String) throws(ProgramFiles.Obstacle) {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw obstacle(source) }
    defer { close(input) }
    var facts = stat()
    guard fstat(input, &facts) == 0 else { throw obstacle(source) }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (facts.st_mode & 0o777) | 0o700)
    guard output >= 0 else { throw obstacle(target) }
    made.append(target)
    defer { close(output) }
    while true {
      try goOn()
      let count = sendfile(output, input, nil, 1 << 24)
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw obstacle(target) }
    }
    // Written to the disk now, not while launches are timed.
    guard fsync(output) == 0 else { throw obstacle(target) }
  }

  /// - Parameter path: the path for which a call has just failed, with errno.
  private func obstacle(_ path: String) -> ProgramFiles.Obstacle {
    ProgramFiles.Obstacle(description: "cannot copy \(path): \(systemMessage(errno))")
  }
}
