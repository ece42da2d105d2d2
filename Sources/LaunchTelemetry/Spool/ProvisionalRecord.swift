// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchProfiler
internal import LaunchRecord

/// The record of a launch that ends before it is complete: what is known of it by then. It is written again when the program
/// says more about itself, because a failure without its version belongs to no version.
struct ProvisionalRecord {
  private let spool: LaunchSpool
  /// When the process started, ns since 1970.
  private let began: Int64
  /// The keys of metadata that the record has.
  private let keys: [String]
  /// The file is there.
  private var isWritten = false

  init(spool: LaunchSpool) {
    self.spool = spool
    let age = Int64(clamping: lr_monotonic_now()) - Int64(clamping: lr_summary_get().process_start)
    began = Int64(clamping: lr_wall_clock_now()) - age
    keys = [LS_KEY_VERSION, LS_KEY_REASON, LS_KEY_CONTEXT, LS_KEY_KIND] + spool.metadata
  }

  /// Writes it on a thread of its own: now, and after metadata that it has. A process has one launch, so this stays in memory.
  func keepInBackground() {
    let kept = UnsafeMutablePointer<ProvisionalRecord>.allocate(capacity: 1)
    kept.initialize(to: self)
    lr_metadata_listen(
      { context, key in
        guard let record = context?.assumingMemoryBound(to: ProvisionalRecord.self), let key else { return }
        if record.pointee.keys.contains(String(cString: key)) { lr_background_again() }
      }, kept)
    // A failure cannot be reported here: the launch continues without this record.
    _ = lr_background_repeatedly({ $0?.assumingMemoryBound(to: ProvisionalRecord.self).pointee.write() }, kept)
  }

  private mutating func write() {
    // First what is known without asking: a program may die within a millisecond.
    if !isWritten { keep(LaunchProfiler.recordOrigin(id: LaunchProfiler.launchID, start: began), [:]) }
    isWritten = true
    keep(
      LaunchProfiler.recordHead(id: LaunchProfiler.launchID, start: began),
      RecordedEvents(LaunchProfiler.copyTrace() ?? []).metadata)
  }

  private func keep(_ head: Record, _ metadata: [String: String]) {
    var record = head
    record.addCircumstances(metadata)
    record.addEnd(.failed, at: nil, total: 0, budget: nil)
    record.add(.profiler, LAUNCHPROF_VERSION)
    record.add(metadata: metadata, allowed: spool.metadata)
    try? spool.add(record, start: .nanoseconds(began), with: lr_spool_add_provisional)
  }
}

extension Record {
  /// What the program says about itself and why it was launched.
  internal mutating func addCircumstances(_ metadata: [String: String]) {
    add(.version, metadata[LS_KEY_VERSION])
    add(.kind, metadata[LS_KEY_KIND])
    add(.reason, metadata[LS_KEY_REASON])
    add(.context, metadata[LS_KEY_CONTEXT])
  }
}
#endif
