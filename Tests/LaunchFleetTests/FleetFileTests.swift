// SPDX-License-Identifier: Apache-2.0

import CLaunchZlib
import CLaunchZstd
import TestSupport
import Testing

@testable import LaunchFleet

struct FleetFileTests {
  private let files: TemporaryFiles
  private let text: [UInt8]
  private let launches = 1200

  init() throws {
    files = try TemporaryFiles()
    var fleet = SyntheticFleet()
    fleet.launches = launches
    text = Array((fleet.lines().lines.joined(separator: "\n") + "\n").utf8)
  }

  private func zstandard(_ bytes: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = ZSTD_compress(&result, result.count, bytes, bytes.count, 3)
    return Array(result[..<count])
  }

  private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    try #require(
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK)
    defer { deflateEnd(&stream) }
    var (input, result) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
    let count = input.withUnsafeMutableBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
        (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? target.count - Int(stream.avail_out) : 0
      }
    }
    return Array(result[..<count])
  }

  @Test func compressedFilesAreReadAsPlainOnes() throws {
    // Several frames, as `cat a.zst b.zst` makes them.
    let half = text.count / 2
    let packed = [
      ("a.jsonl", text), ("a.jsonl.gz", try gzip(text)), ("a.jsonl.zst", zstandard(text)),
      ("b.jsonl.zst", zstandard(Array(text[..<half])) + zstandard(Array(text[half...]))),
      ("b.jsonl.gz", try gzip(Array(text[..<half])) + gzip(Array(text[half...]))),
    ]
    for (name, bytes) in packed {
      let table = try FleetReader.read([try files.write(name, bytes)], FleetQuestion())
      #expect(
        table.count == launches && table.census.garbage + table.census.torn + table.census.damagedFiles == 0, "\(name)")
    }
    // The same launches from all of them are counted once.
    let paths = try packed.map { try files.write($0.0, $0.1) }
    let all = try FleetReader.read(paths, FleetQuestion())
    #expect(all.count == launches && all.census.duplicates == 4 * launches && all.census.files == 5)
  }

  @Test func filesThatWereCutOffGiveWhatTheyHave() throws {
    let whole = [("t.jsonl", text), ("t.jsonl.gz", try gzip(text)), ("t.jsonl.zst", zstandard(text))]
    for (name, bytes) in whole {
      var most = 0
      for part in 1...9 {
        let given = bytes[..<(bytes.count * part / 10)]
        let table = try? FleetReader.read([try files.write(name, Array(given))], FleetQuestion())
        if name == "t.jsonl" { #expect(table?.count == given.count { $0 == 0x0a }) }
        guard let table else { continue }
        most = max(most, table.count)
        #expect(table.count < launches && table.census.torn <= 1)
        #expect(
          table.census.torn + table.census.damagedFiles > 0 || bytes[bytes.count * part / 10 - 1] == 0x0a,
          "\(name) \(part)")
      }
      #expect(most > 0, "\(name)")
    }
  }

  /// As `cat a.gz b.jsonl` makes them. The plain records are not found, and nobody may think that there are none.
  @Test func whatFollowsCompressedRecordsIsDamage() throws {
    for (name, bytes) in [("m.jsonl.gz", try gzip(text)), ("m.jsonl.zst", zstandard(text))] {
      let other = name.hasSuffix("gz") ? zstandard(text) : try gzip(text)
      for rest in [text, other, [0x1f], [0x1f, 0x20], [0, 0]] {
        let census = try FleetReader.read([try files.write(name, bytes + rest)], FleetQuestion()).census
        #expect(census.damagedFiles == 1 && census.launches == launches, "\(name) and \(rest.prefix(4))")
      }
    }
  }

  /// A short file is a single block, so any damage leaves nothing of it.
  @Test func aFileWithoutASoundBlockIsDamaged() throws {
    let record = Array((RecordText(id: 1).line + "\n").utf8)
    let sound = try files.write("sound.jsonl", record)
    for (name, bytes) in [("d.jsonl.zst", zstandard(text)), ("d.jsonl.gz", try gzip(text))] {
      let damaged = try files.write(name, Array(bytes[..<20]))
      #expect(try FleetReader.read([sound, damaged], FleetQuestion()).census.damagedFiles == 1, "\(name)")
      let error = #expect(throws: FleetError.self) { try FleetReader.read([damaged], FleetQuestion()) }
      #expect(error?.message == "no file has a record: 1 compressed file ends early or is broken (\(damaged))")
    }
    for bytes in [[], zstandard([]), try gzip([])] {
      let empty = try files.write("empty.jsonl", bytes)
      #expect(try FleetReader.read([sound, empty], FleetQuestion()).census.damagedFiles == 0)
    }
  }

  /// Where no record counts, there is no answer, and the reasons are told.
  @Test func filesWithoutAUsableRecordAreAMistake() throws {
    let newer = RecordText(id: 1).with("record", "2").line
    let path = try files.write("n.jsonl", Array((newer + "\nno record\n").utf8))
    let error = #expect(throws: FleetError.self) { try FleetReader.read([path], FleetQuestion()) }
    #expect(error?.code == .noRecords)
    #expect(
      error?.message
        == "no record counts: 1 line is not a record; 1 record is of a newer format and left out (the first: "
        + "\(path), line 1)")
    var question = FleetQuestion()
    question.filter = try FleetFilter(["version=9"])
    let known = try files.write("k.jsonl", Array((RecordText(id: 1).line + "\n").utf8))
    #expect(try FleetReader.read([known], question).census.filtered == 1)
  }

  /// Its lines were "140 lines are not records".
  @Test func aReportInTheDirectoryIsNamedAsOne() throws {
    let records = try files.write("r.jsonl", Array((RecordText(id: 1).line + "\n").utf8))
    let text = "{\n  \"schemaVersion\": 1,\n  \"title\": \"1 launch\",\n  \"groups\": []\n}\n"
    let report = try files.write("report.json", Array(text.utf8))
    let census = try FleetReader.read([records, report], FleetQuestion()).census
    #expect(census.launches == 1 && census.reports == 1 && census.garbage == 0)
    #expect(census.sentences == ["1 file is a report of launchprof and left out (\(report), line 1)"])
  }

  /// The verbs for traces and those for records have the same names, so their files are mistaken for each other.
  @Test func aTraceIsNamedAsOne() throws {
    let path = try files.write("app.pftrace", contents(PackageRoot.fixture("versions/trace-1.pftrace")))
    let error = #expect(throws: FleetError.self) { try FleetReader.read([path], FleetQuestion()) }
    #expect(error?.path == path)
    #expect(error?.message.hasPrefix("is a trace. ") == true, "\(error?.message ?? "")")
  }

  @Test func brokenBytesNeverStopTheReading() throws {
    for (name, bytes) in [("x.jsonl", text), ("x.jsonl.zst", zstandard(text)), ("x.jsonl.gz", try gzip(text))] {
      for round in 0..<8 {
        var broken = bytes
        for place in stride(from: 7 + round, to: broken.count, by: 997) { broken[place] ^= UInt8(1 + round) }
        let table = try? FleetReader.read([try files.write(name, broken)], FleetQuestion(labels: .all))
        // Most bytes stay as they are. Of a compressed file, nothing may be left.
        let least = name == "x.jsonl" ? launches / 4 : 0
        #expect((least...launches).contains(table?.count ?? 0), "\(name) \(round)")
      }
    }
  }

  @Test func longLinesAndEmptyFilesAreCounted() throws {
    let long = Array("{\"record\":1,\"x\":\"".utf8) + [UInt8](repeating: 0x61, count: 3 << 20) + Array("\"}\n".utf8)
    let table = try FleetReader.read([try files.write("long.jsonl", long + text + long)], FleetQuestion())
    #expect(table.count == launches && table.census.garbage == 2)
    let empty = try files.write("empty.jsonl", [])
    #expect(throws: FleetError.self) { try FleetReader.read([empty], FleetQuestion()) }
    #expect(try FleetReader.read([empty, try files.write("c.jsonl", text)], FleetQuestion()).count == launches)
    #expect(throws: FleetError.self) { try FleetReader.read(["/nowhere/x.jsonl"], FleetQuestion()) }
  }
}
