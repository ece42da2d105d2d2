// SPDX-License-Identifier: Apache-2.0

/// What the agent wrote during a launch, read from its file's bytes. They are not trusted: the program can change them.
struct AgentLog: Sendable, Equatable {
  struct Library: Sendable, Equatable {
    /// Of the program itself, the path of the file that was executed. Empty if it is not known.
    var path: String
    var bias: UInt64
    /// When it was mapped, CLOCK_MONOTONIC ns.
    var mapped: Int64
    var threadID: Int32
    /// When its relocations were done.
    var relocated: Int64?
    var relocatingThread: Int32 = 0
    /// The index of its program in the process, from 0. A process that executes another program has several.
    var program: Int
  }

  struct Initializer: Sendable, Equatable {
    /// Its index in `libraries`.
    var library: Int
    var function: UInt64
    /// Its index in DT_INIT_ARRAY; nil for DT_INIT.
    var number: Int?
    var start: Int64
    /// nil if it never returned.
    var end: Int64?
    var threadID: Int32
  }

  /// The loader's own notice: it begins to add libraries, or all are added.
  struct Activity: Sendable, Equatable {
    var time: Int64
    var threadID: Int32
    var isAdding: Bool
    var program: Int
  }

  private(set) var processID: Int32 = 0
  /// When each program began.
  private(set) var programs: [Int64] = []
  private(set) var libraries: [Library] = []
  private(set) var initializers: [Initializer] = []
  private(set) var activities: [Activity] = []
  /// Libraries that could not be timed.
  private(set) var untimed = 0
  /// Records that did not fit.
  private(set) var lost = 0

  private static let longestPath = 4096

  init(_ bytes: [UInt8]) {
    let size = AgentFile.recordSize
    guard bytes.count >= size, bytes.starts(with: "LPAGENT\0".utf8) else { return }
    bytes.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      processID = Int32(truncatingIfNeeded: word(8) >> 32)
      untimed = Int(clamping: word(24))
      lost = Int(clamping: word(16) - min(word(16), UInt64(bytes.count / size)))
      var reader = Reader()
      for index in 1..<max(1, bytes.count / size) {
        take(Record(UnsafeRawBufferPointer(rebasing: bytes[index * size..<(index + 1) * size])), &reader)
      }
    }
  }

  /// What is known about the program whose libraries are being read.
  private struct Reader {
    /// Indices in `libraries`, by the agent's number.
    var rows: [UInt32: Int] = [:]
    /// Their paths so far, which come in parts, and the number of bytes that are missing.
    var paths: [UInt32: (bytes: [UInt8], missing: Int)] = [:]
  }

  private struct Record {
    var kind: UInt32
    var threadID: Int32
    var time: Int64
    var library: UInt32
    var values: [UInt64]
    var text: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer) {
      func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      kind = UInt32(truncatingIfNeeded: word(0))
      threadID = Int32(truncatingIfNeeded: word(0) >> 32)
      time = Int64(clamping: word(8))
      library = UInt32(truncatingIfNeeded: word(16))
      values = [word(24), word(32), word(40)]
      text = Array(bytes[24..<64])
    }
  }

  /// Replaces all times.
  mutating func move(_ moved: (Int64) -> Int64) {
    programs = programs.map(moved)
    for row in libraries.indices {
      libraries[row].mapped = moved(libraries[row].mapped)
      libraries[row].relocated = libraries[row].relocated.map(moved)
    }
    for row in initializers.indices {
      initializers[row].start = moved(initializers[row].start)
      initializers[row].end = initializers[row].end.map(moved)
    }
    for row in activities.indices { activities[row].time = moved(activities[row].time) }
  }

  private mutating func take(_ record: Record, _ reader: inout Reader) {
    switch record.kind {
    case 1:
      programs.append(record.time)
      reader = Reader()
    case 2 where !programs.isEmpty:
      reader.rows[record.library] = libraries.count
      reader.paths[record.library] = ([], Int(min(record.values[1], UInt64(Self.longestPath))))
      libraries.append(
        Library(
          path: "", bias: record.values[0], mapped: record.time, threadID: record.threadID,
          program: programs.count - 1))
    case 3:
      guard let row = reader.rows[record.library], var path = reader.paths[record.library], path.missing > 0 else {
        return
      }
      let part = record.text.prefix(path.missing)
      path.bytes += part.prefix { $0 != 0 }
      path.missing -= part.count
      reader.paths[record.library] = path
      libraries[row].path = String(decoding: path.bytes, as: UTF8.self)
    case 4:
      guard let row = reader.rows[record.library] else { return }
      libraries[row].relocated = record.time
      libraries[row].relocatingThread = record.threadID
    case 5:
      guard let row = reader.rows[record.library] else { return }
      let (number, end) = (
        Int(truncatingIfNeeded: Int64(bitPattern: record.values[1])), Int64(clamping: record.values[2])
      )
      initializers.append(
        Initializer(
          library: row, function: record.values[0], number: number < 0 ? nil : number, start: record.time,
          end: end >= record.time ? end : nil, threadID: record.threadID))
    case 6, 7:
      activities.append(
        Activity(time: record.time, threadID: record.threadID, isAdding: record.kind == 6, program: programs.count - 1))
    default: break
    }
  }
}
