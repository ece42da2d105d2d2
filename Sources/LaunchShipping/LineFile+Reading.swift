// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

extension LineFile {
  /// The most bytes of a record, and of all records of a file: they are kept in memory.
  private static let largestRecord = 1 << 20
  private static let largest = 1 << 30

  /// Reads the lines of a file of any of the three kinds, as its first bytes say. Lines that are not records are counted.
  ///
  /// - Throws: `ShippingError`: `cannotRead`, also for a compressed file that is broken or cut off. An incomplete last line
  ///   is not an error.
  package func records() throws(ShippingError) -> (lines: [String], broken: Int) {
    do throws(TraceError) { return try readRecords() } catch {
      // A program that was stopped before its first record leaves an empty file.
      if error.code == .empty, CompressedFile.isReallyEmpty(path: path) { return ([], 0) }
      let reason =
        switch error.code {
        case .isDirectory: "it is a directory; --spool sends the records of a spool"
        case _ where error.errno != 0: systemMessage(error.errno)
        case .tooLarge: "it holds more than \(Self.largest >> 20) MiB; split it into smaller files"
        default: "its compressed data are broken or cut off"
        }
      throw ShippingError(.cannotRead, path, "cannot be read: \(reason)")
    }
  }

  private func readRecords() throws(TraceError) -> (lines: [String], broken: Int) {
    var lines = try FileLines(path: path, longest: Self.largestRecord)
    var (records, broken, size): ([String], Int, Int) = ([], 0, 0)
    while let line = try lines.next() {
      if !line.isTooLong, line.bytes.allSatisfy({ $0 <= 0x20 }) { continue }
      size += line.bytes.count
      guard size <= Self.largest else { throw TraceError(.tooLarge, path: path, message: "") }
      if let record = RecordReader.line(String(decoding: line.bytes, as: UTF8.self)) {
        records.append(record)
      } else {
        broken += 1
      }
    }
    guard !lines.isDamaged else { throw TraceError(.cannotRead, path: path, message: "") }
    return (records, broken)
  }
}
