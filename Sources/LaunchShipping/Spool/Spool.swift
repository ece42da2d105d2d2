// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchRecord
internal import LaunchSystem

/// A directory of launch records, as programs leave them (`lr_spool.c`): one file a record.
package struct Spool: Sendable {
  package let path: String

  /// A record and its file.
  package struct Entry: Sendable {
    package let name: String
    /// The record as its program wrote it, in one line.
    package let line: String
  }

  /// What is in a spool.
  package struct Contents: Sendable {
    /// The oldest first.
    package var entries: [Entry] = []
    /// Files of programs that hold no record: of a machine that lost its power.
    package var broken: [String] = []
    /// Other files that are not read, and why: for example those of another user.
    package var unreadable: [(name: String, reason: String)] = []
  }

  package init(path: String) { self.path = path }

  private static let provisional = ".open-"
  private static let largestRecord = 1 << 20
  private static let refused = "refused"
  /// Records in `refused`: the oldest of more are deleted.
  package static let mostRefused = 1000

  /// The names of the records, the oldest first; also of those that programs left which died before their launches were
  /// complete. `unreadable` are files of which it is not known whether their programs live.
  ///
  /// - Throws: `ShippingError`: `cannotRead`.
  package func recordNames() throws(ShippingError) -> (names: [String], unreadable: [(name: String, reason: String)]) {
    var unreadable: [(name: String, reason: String)] = []
    for name in try names() where name.hasPrefix(Self.provisional) {
      if let reason = adopt(name) { unreadable.append((name, reason)) }
    }
    return (try names().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted(), unreadable)
  }

  /// Reads all records.
  ///
  /// - Throws: `ShippingError`: `cannotRead`.
  package func contents() throws(ShippingError) -> Contents {
    let (names, unreadable) = try recordNames()
    var contents = contents(of: names)
    contents.unreadable = unreadable + contents.unreadable
    return contents
  }

  /// Reads some records. A full spool of a service that dies at each launch has more than the memory should hold.
  package func contents(of names: some Sequence<String>) -> Contents {
    var contents = Contents()
    for name in names {
      let (bytes, error) = read(name)
      // A file that is gone was dropped, or another process shipped it.
      if error == ENOENT { continue }
      guard error == 0 else {
        contents.unreadable.append((name, Self.reason(error)))
        continue
      }
      if let line = RecordReader.line(String(decoding: bytes, as: UTF8.self)) {
        contents.entries.append(Entry(name: name, line: line))
      } else if Self.isOfProgram(name) {
        contents.broken.append(name)
      } else {
        contents.unreadable.append((name, "is not a record"))
      }
    }
    return contents
  }

  private static func reason(_ error: Int32) -> String { "cannot be read: \(systemMessage(error))" }

  /// Whether programs give their records such names: `lr_is_record`.
  private static func isOfProgram(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 13, parts[1].hasSuffix(".json") else { return false }
    return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      && LaunchID(String(parts[1].dropLast(5))) != nil
  }

  /// Checks that records can be taken out, so that none is sent again each time.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func checkWritable() throws(ShippingError) {
    if faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) != 0 {
      let code = Glibc.errno
      throw ShippingError(
        .cannotWrite, path, "records that have arrived cannot be removed from it: \(systemMessage(code))")
    }
  }

  /// Takes a record out: it has arrived.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func remove(_ entry: Entry) throws(ShippingError) {
    let file = path + "/" + entry.name
    if unlink(file) != 0, errno != ENOENT { throw failure(file, Glibc.errno) }
  }

  /// Puts a record aside that the other side does not want: it is not sent again, and not lost.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func refuse(_ entry: Entry) throws(ShippingError) { try putAside(entry.name) }

  /// Puts a file aside that holds no record.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func putAside(_ name: String) throws(ShippingError) {
    let (file, directory) = (path + "/" + name, path + "/" + Self.refused)
    mkdir(directory, 0o700)
    if rename(file, directory + "/" + name) != 0, errno != ENOENT || access(directory, F_OK) != 0 {
      throw failure(file, Glibc.errno)
    }
  }

  /// Deletes the oldest of too many records that were put aside. Returns how many.
  package func deleteOldRefused() -> Int {
    let directory = path + "/" + Self.refused
    guard let names = try? fileNames(ofReadable: directory), names.count > Self.mostRefused else { return 0 }
    return names.sorted().prefix(names.count - Self.mostRefused).count { unlink(directory + "/" + $0) == 0 }
  }

  /// Whether no program has made the spool yet. Programs make the directory, but not its parent.
  package var isAwaited: Bool {
    let end = path.lastIndex { $0 != "/" } ?? path.startIndex
    let parent = path[...end].lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var facts = stat()
    return lstat(path, &facts) != 0 && errno == ENOENT && isDirectory(parent)
  }

  /// Runs `body` unless another process ships this spool: both would send the same records. Then the result is nil. If
  /// the file system has no locks, it runs, too.
  ///
  /// - Throws: `ShippingError`: `cannotRead`; what `body` throws.
  package func alone<Result>(_ body: () throws(ShippingError) -> Result) throws(ShippingError) -> Result? {
    // The lock is on the directory: programs that fill the spool have a file for theirs.
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      let code = Glibc.errno
      throw ShippingError(.cannotRead, path, "cannot be read: \(systemMessage(code))")
    }
    defer { close(directory) }
    if flock(directory, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
    return try body()
  }

  private func failure(_ place: String, _ code: Int32) -> ShippingError {
    ShippingError(.cannotWrite, place, "cannot be removed from the spool: \(systemMessage(code))")
  }

  private func names() throws(ShippingError) -> [String] {
    do throws(FileError) { return try fileNames(ofReadable: path) } catch {
      throw ShippingError(.cannotRead, path, "cannot be read: \(error.message)")
    }
  }

  /// While a program launches, it holds a lock on its provisional record. A program that closed that file, or executed
  /// another program, lives without the lock. A fork of it, which may live on, holds the lock, too. Returns what keeps the
  /// record from being read.
  private func adopt(_ name: String) -> String? {
    let (owner, record) = SpoolOwner.split(name.dropFirst(Self.provisional.utf8.count))
    let state = owner?.state ?? .isUnknown
    if state == .lives { return nil }
    let file = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT ? nil : Self.reason(errno) }
    defer { close(file) }
    // If the program has replaced it since, it lives, and has locked the new file.
    guard state == .isGone || flock(file, LOCK_EX | LOCK_NB) == 0, isStill(file, name) else { return nil }
    guard rename(path + "/" + name, path + "/" + record) != 0, errno != ENOENT else { return nil }
    return "cannot be renamed: \(systemMessage(errno))"
  }

  private func isStill(_ file: Int32, _ name: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && lstat(path + "/" + name, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private func read(_ name: String) -> (bytes: [UInt8], errno: Int32) {
    let file = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return ([], errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 13)
    while bytes.count < Self.largestRecord {
      let got = Glibc.read(file, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      if got < 0 { return ([], errno) }
      if got == 0 { break }
      bytes += chunk[..<got]
    }
    return (bytes, 0)
  }
}
