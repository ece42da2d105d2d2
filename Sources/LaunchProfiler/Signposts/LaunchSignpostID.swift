/// Tells intervals of one name apart that run at the same time. Mirrors `OSSignpostID`.
///
/// Like all types here it conforms to little: each conformance costs the launch of whoever links the library something.
public struct LaunchSignpostID: Equatable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// No other interval of this name runs at the same time.
  @inlinable
  public static var exclusive: LaunchSignpostID { LaunchSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE) }
  public static let null = LaunchSignpostID(rawValue: 0)
  public static let invalid = LaunchSignpostID(rawValue: .max)

  /// What the trace says: 0 for exclusive.
  @usableFromInline
  internal var recorded: UInt64 { self == .exclusive ? 0 : rawValue }
}
