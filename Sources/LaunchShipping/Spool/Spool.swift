// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LaunchRecord
internal import LaunchSystem

/// A directory of launch records, as programs leave them (`lr_spool.c`): one file a record.
package struct Spool: Sendable {
  package let path: String

  /// A record and its file.
  package struct Entry: Sendable {
    package let name: String
    package let record: Record
  }

  /// What is in a spool.
  package struct Contents: Sendable {
    /// The oldest first.
    package var entries: [Entry] = []
    /// Files that hold no record: of a machine that lost its power.
    package var broken: [String] = []
  }

  package init(path: String) { self.path = path }

  private static let provisional = ".open-"
  private static let largestRecord = 1 << 20
  private static let refused = "refused"

  /// Reads the records; also those that programs left which died before their launches were complete.
  ///
  /// - Throws: `ShippingError`: `cannotRead`.
  package func contents() throws(ShippingError) -> Contents {
    let names = try names()
    for name in names where name.hasPrefix(Self.provisional) { adopt(name) }
    var contents = Contents()
    for name in try self.names().sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
      // A file that is gone was dropped, or another process shipped it.
      guard let bytes = read(name) else { continue }
      if let record = RecordReader.read(String(decoding: bytes, as: UTF8.self)) {
        contents.entries.append(Entry(name: name, record: record))
      } else {
        contents.broken.append(name)
      }
    }
    return contents
  }

  /// Takes a record out: it has arrived.
  package func remove(_ entry: Entry) { unlink(path + "/" + entry.name) }

  /// Puts a record aside that the other side does not want: it is not sent again, and not lost.
  package func refuse(_ entry: Entry) {
    mkdir(path + "/" + Self.refused, 0o700)
    rename(path + "/" + entry.name, path + "/" + Self.refused + "/" + entry.name)
  }

  private func names() throws(ShippingError) -> [String] {
    do throws(FileError) { return try fileNames(ofReadable: path) } catch {
      throw ShippingError(.cannotRead, path, "cannot be read: \(error.message)", errno: error.errno)
    }
  }

  /// While a program launches, it holds a lock on its provisional record.
  private func adopt(_ name: String) {
    let file = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 {
      rename(path + "/" + name, path + "/" + name.dropFirst(Self.provisional.utf8.count))
    }
  }

  private func read(_ name: String) -> [UInt8]? {
    let file = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 13)
    while bytes.count < Self.largestRecord {
      let got = Glibc.read(file, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      if got <= 0 { break }
      bytes += chunk[..<got]
    }
    return bytes
  }
}
