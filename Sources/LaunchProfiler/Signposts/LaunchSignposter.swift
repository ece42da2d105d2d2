// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

/// Records intervals and events of a subsystem and category. Mirrors `OSSignposter`.
///
/// In the trace, synchronous work within one scope (`withIntervalSignpost`) is on its thread's track. Work that may
/// suspend, overlap or end on another thread (`beginInterval`/`endInterval`, async closures) has its own track.
///
/// Safe from any thread, but not from a signal handler. While nothing is recorded, a call costs one load and one
/// branch. Every interval and event is also a USDT probe (`launchprofiler:interval__begin`, `interval__end`,
/// `event`).
public struct LaunchSignposter: Sendable {
  @_borrowed @usableFromInline
  internal nonisolated(unsafe) let category: OpaquePointer?

  /// The trace keeps at most 1,024 bytes of each string, and names the first 127 categories of a program. From the 4,097th on,
  /// categories are one without a name.
  public init(subsystem: String, category: String) {
    var subsystem = subsystem
    var category = category
    self.category = subsystem.withUTF8 { subsystem in
      category.withUTF8 { category in
        lr_category_make(subsystem.characters, subsystem.count, category.characters, category.count)
      }
    }
  }

  @_alwaysEmitIntoClient
  internal init(disabled: Void) { category = nil }

  /// A signposter that records nothing.
  @_borrowed @_alwaysEmitIntoClient
  public static var disabled: LaunchSignposter { _read { yield LaunchSignposter(disabled: ()) } }

  /// True if the launch is being recorded, and this is not the disabled signposter.
  @_borrowed @_alwaysEmitIntoClient
  public var isEnabled: Bool { _read { yield category != nil && lr_is_recording() } }

  /// Returns an id that no other call has returned.
  public func makeSignpostID() -> LaunchSignpostID { LaunchSignpostID(rawValue: lr_new_signpost_id()) }

  /// Returns an id for an object. It stays the same while the object lives.
  @_alwaysEmitIntoClient
  public func makeSignpostID(from object: AnyObject) -> LaunchSignpostID {
    LaunchSignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }
}
#endif
