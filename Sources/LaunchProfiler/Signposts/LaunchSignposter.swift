#if !canImport(os)
public import CLaunchRecorder

/// Marks intervals and events of a subsystem and category. Mirrors `OSSignposter`.
///
/// Scoped, synchronous work (`withIntervalSignpost`) lies on its thread's track of the trace. Work that may suspend,
/// overlap or end on another thread (`beginInterval`/`endInterval`, async closures) lies on a track of its own.
///
/// Safe from any thread, not from a signal handler. While nothing is recorded a call costs one load and one branch.
/// Every interval and event is also a USDT probe (`launchprofiler:interval__begin`, `interval__end`, `event`).
public struct LaunchSignposter: Sendable {
  @usableFromInline
  internal nonisolated(unsafe) let category: OpaquePointer?

  /// Strings of at most 1,024 bytes each are kept; the first 127 categories of a program are named in its trace.
  public init(subsystem: String, category: String) {
    var subsystem = subsystem
    var category = category
    self.category = subsystem.withUTF8 { subsystem in
      category.withUTF8 { category in
        lr_category_make(subsystem.characters, subsystem.count, category.characters, category.count)
      }
    }
  }

  private init(disabled: Void) { category = nil }

  /// Records nothing.
  public static let disabled = LaunchSignposter(disabled: ())

  /// True while the program's launch is recorded and this signposter is not the disabled one.
  @inlinable
  public var isEnabled: Bool { category != nil && lr_is_recording() }

  /// An id that no other call has returned.
  public func makeSignpostID() -> LaunchSignpostID { LaunchSignpostID(rawValue: lr_new_signpost_id()) }

  /// An id for an object, the same for as long as it lives.
  public func makeSignpostID(from object: AnyObject) -> LaunchSignpostID {
    LaunchSignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }
}
#endif
