// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchProfiler
internal import LaunchRecord

/// A directory in which launches leave their records until `launchprof ship` sends them: docs/telemetry.md.
///
/// Several programs of one user, and several launches at once, may share a spool. Each record is a file that appears
/// whole. If the spool is full, the launch that adds a record deletes the oldest ones and counts them.
public struct LaunchSpool: Sendable {
  /// Path of the directory. The spool creates the last component of the path if it does not exist. `start(spool:)` takes
  /// a relative path from the working directory at that time. With an empty path, there is no spool.
  public var directory: String
  /// The largest number of records.
  public var files: Int
  /// The largest size of all records together, bytes.
  public var bytes: Int
  /// Keeps one of `oneIn` launches, chosen at random. Its record says how many launches it represents.
  public var oneIn: Int
  /// Also keeps every launch that is over a budget or not complete. Each of these represents only itself.
  public var keepsExceptional: Bool
  /// The keys of the program's own metadata that records may hold.
  public var metadata: [String]

  public init(
    directory: String, files: Int = 1000, bytes: Int = 4 << 20, oneIn: Int = 1, keepsExceptional: Bool = true,
    metadata: [String] = []
  ) {
    (self.directory, self.files, self.bytes) = (directory, files, bytes)
    (self.oneIn, self.keepsExceptional, self.metadata) = (oneIn, keepsExceptional, metadata)
  }

  /// Writes the record of a launch now. This takes less than a millisecond, unless the disk is busy.
  /// `LaunchProfiler.start(spool:)` writes it on a separate thread.
  ///
  /// - Returns: false if this launch was not chosen (`oneIn`), so that it has no record.
  /// - Throws: `LaunchSpoolError` with the errno of the cause.
  @discardableResult
  public func keep(_ summary: LaunchSummary) throws(LaunchSpoolError) -> Bool {
    var record = summary.row(metadata: metadata)
    let isExceptional = record.isOverBudget || record.isIncomplete
    if !isExceptional || !keepsExceptional {
      guard LaunchID(summary.id)?.isChosen(oneIn: oneIn) ?? true else {
        lr_spool_remove_provisional()
        return false
      }
      record.weigh(Int64(oneIn))
    }
    try add(record, start: summary.wallClockStart, with: lr_spool_add)
    return true
  }

  /// How many records launches have deleted since the spool was created, because it was full.
  public var dropped: Int { directory.withCString { Int(clamping: lr_spool_dropped($0)) } }

  /// The same spool after the program has changed its working directory, as daemons do.
  internal var fromAnywhere: LaunchSpool {
    var spool = self
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(LR_LONGEST_PATH)) { path in
      guard let start = path.baseAddress, lr_absolute(start, directory) == 0 else { return }
      spool.directory = String(cString: start)
    }
    return spool
  }

  // MARK: On a separate thread

  /// A failure cannot be reported here: the launch continues without its record.
  internal func keepInBackground(_ summary: LaunchSummary) {
    inBackground { _ = try? keep(summary) }
  }

  /// Makes the summary there, too.
  internal func keepInBackground(_ moment: LaunchSummary.Moment) {
    inBackground { _ = try? keep(LaunchSummary(at: moment)) }
  }

  /// Leaves a record that counts only if the program ends before its launch is complete.
  internal func expectInBackground() {
    if keepsExceptional { ProvisionalRecord(spool: self).keepInBackground() }
  }

  private func inBackground(_ work: @escaping @Sendable () -> Void) {
    let kept = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
    kept.initialize(to: work)
    lr_spool_prepare()
    let hasBegun = lr_background(
      { context in
        guard let work = context?.assumingMemoryBound(to: (@Sendable () -> Void).self) else { return }
        work.move()()
        work.deallocate()
      }, kept)
    if !hasBegun {
      kept.deinitialize(count: 1)
      kept.deallocate()
    }
  }

  internal func add(
    _ record: Record, start: Duration,
    with function: (UnsafePointer<lr_spool>, UnsafePointer<lr_spool_record>) -> Int32
  ) throws(LaunchSpoolError) {
    var line = record.line
    let id = record.text(.id) ?? ""
    let error = directory.withCString { directory in
      id.withCString { id in
        line.withUTF8 { content in
          content.withMemoryRebound(to: CChar.self) { text in
            var spool = lr_spool(
              directory: directory, most_files: UInt64(max(0, files)), most_bytes: UInt64(max(0, self.bytes)))
            var native = lr_spool_record(
              milliseconds: UInt64(max(0, start.nanoseconds / 1_000_000)), id: id, line: text.baseAddress,
              length: text.count, is_incomplete: record.isIncomplete)
            return function(&spool, &native)
          }
        }
      }
    }
    if error != 0 { throw LaunchSpoolError(errno: error, directory: directory) }
  }
}

extension Record {
  fileprivate var isIncomplete: Bool { text(.outcome) != RecordOutcome.completed.rawValue }
}

/// Why a record could not be kept.
public struct LaunchSpoolError: Error, Sendable, CustomStringConvertible {
  /// EFBIG: the record is larger than the spool may be.
  public let errno: Int32
  public let directory: String

  public var description: String {
    var text = [CChar](repeating: 0, count: 128)
    lr_error_text(errno, &text, text.count)
    let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let advice =
      errno == Int32(LR_RECORD_IS_TOO_LARGE)
      ? "the record is larger than the spool, or any file, may be; raise files: and bytes:, or ulimit -f"
      : "\(reason); choose a directory that this user can write to and that has room. A spool is for one user"
    let place = directory.isEmpty ? "a spool without a directory" : directory
    return "\(place): the launch record cannot be kept: \(advice)"
  }
}
#endif
