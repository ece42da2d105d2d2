// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A note as its file says it.
struct Note: Sendable {
  var title: String
  var words: Int
  var modified: Double
}

/// A folder of small text files.
struct NoteFolder: Sendable {
  let directory: String
  var configurationPath: String { directory + "/notes.yml" }
  var indexPath: String { directory + "/index.sqlite" }
  var exists: Bool { FileManager.default.fileExists(atPath: configurationPath) }
  private var notesDirectory: String { directory + "/notes" }

  static let exampleCount = 3_000

  /// Writes example notes and a configuration; the configuration last, so that a half-filled folder is filled again.
  func fillWithExamples() throws {
    try FileManager.default.createDirectory(atPath: notesDirectory, withIntermediateDirectories: true)
    for number in 0..<Self.exampleCount {
      let line = "The note number \(number) speaks of launches, of time, and of the number \(number * 7 % 1000).\n"
      let text = "Note \(number)\n" + String(repeating: line, count: 4 + number % 9)
      try text.write(toFile: "\(notesDirectory)/\(number).txt", atomically: false, encoding: .utf8)
    }
    let tags = (0..<200).map { "  tag\($0): The tag that is called \($0)\n" }.joined()
    try "shown: 3\ntags:\n\(tags)".write(toFile: configurationPath, atomically: true, encoding: .utf8)
  }

  func readAll() throws(NotesError) -> [Note] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: notesDirectory).map(read)
    } catch {
      throw NotesError("\(notesDirectory): \(error)")
    }
  }

  private func read(_ name: String) throws -> Note {
    let path = notesDirectory + "/" + name
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let title = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return Note(
      title: String(decoding: title, as: UTF8.self),
      words: bytes.count { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }, modified: modified)
  }
}
