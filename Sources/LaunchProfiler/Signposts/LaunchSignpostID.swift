/// Tells intervals of one name apart that run at the same time. Mirrors `OSSignpostID`.
public struct LaunchSignpostID: Hashable, Sendable, RawRepresentable {
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
