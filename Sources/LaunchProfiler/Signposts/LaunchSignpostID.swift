/// Distinguishes intervals of one name that run at the same time. Mirrors `OSSignpostID`.
///
/// It conforms to few protocols, like all types of this library, because each conformance costs launch time.
public struct LaunchSignpostID: Equatable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// No other interval of this name runs at the same time.
  @inlinable
  public static var exclusive: LaunchSignpostID { LaunchSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE) }
  public static let null = LaunchSignpostID(rawValue: 0)
  public static let invalid = LaunchSignpostID(rawValue: .max)

  /// The number in the trace; 0 for `exclusive`.
  @usableFromInline
  internal var recorded: UInt64 { self == .exclusive ? 0 : rawValue }
}
