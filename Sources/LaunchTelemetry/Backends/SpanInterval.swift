// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchProfiler
import Synchronization
import Tracing

/// A span as an interval of the launch trace. It has its own track, because it may suspend or end on another thread.
struct SpanInterval: Sendable {
  /// The recorder never frees names, and user input may be part of a name. So their number is limited.
  private static let mostNames = 512
  /// In bytes.
  private static let longestName = 128
  private static let names = Mutex<[String: Name]>([:])

  /// A name that the recorder keeps for ever.
  private struct Name: @unchecked Sendable {
    let text: UnsafePointer<CChar>
    let category: OpaquePointer
  }

  private let name: Name
  private let interval: lr_async

  /// An interval begins when it is reported. A span that began at least so much earlier, ns, is left out.
  private static let late: UInt64 = 1_000_000

  /// The time, ns since 1970; nil if nothing is recorded, as in a fork. There, a thread that does not exist any more
  /// may hold the lock of the names for ever.
  static var now: UInt64? { LaunchProfiler.isRecording ? DefaultTracerClock.now.nanosecondsSinceEpoch : nil }

  /// nil if the span does not belong in the trace.
  ///
  /// - Parameters:
  ///   - begin: when the span began, ns since 1970.
  ///   - reported: when it was reported.
  init?(_ name: String, fileID: String, begin: UInt64, reported: UInt64) {
    let module = String(fileID.prefix { $0 != "/" })
    guard module != "LaunchTelemetry", begin.addingReportingOverflow(Self.late).partialValue > reported,
      let name = Self.permanent(name, module)
    else { return nil }
    self.name = name
    interval = lr_async_begin(name.category, name.text, 0, nil, 0)
  }

  func end() { lr_async_end(name.category, name.text, 0, interval, nil, 0) }

  private static func permanent(_ name: String, _ module: String) -> Name? {
    names.withLock { names in
      let key = names.count < mostNames ? module + "/" + name : module + "/(more spans)"
      if let known = names[module + "/" + name] ?? names[key] { return known }
      let text = names.count < mostNames ? name : "(more spans)"
      let end = text.utf8.index(text.startIndex, offsetBy: longestName, limitedBy: text.endIndex) ?? text.endIndex
      // If this is inside a character, Swift cuts the text before it.
      let cut = String(text[..<end])
      let made = lr_permanent_string(cut, cut.utf8.count)
      let kept = lr_category_make(LS_SUBSYSTEM_TRACING, LS_SUBSYSTEM_TRACING.utf8.count, module, module.utf8.count)
      guard let made, let kept else { return nil }
      names[key] = Name(text: made, category: kept)
      return names[key]
    }
  }
}
#endif
