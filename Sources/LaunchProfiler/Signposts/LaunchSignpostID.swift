// SPDX-License-Identifier: Apache-2.0

/// Distinguishes intervals of one name that run at the same time. Mirrors `OSSignpostID`.
///
/// Like all types of this library, it conforms to few protocols, because each conformance costs launch time.
public struct LaunchSignpostID: Equatable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The id for an interval that never overlaps another one of its name.
  @inlinable
  public static var exclusive: LaunchSignpostID { LaunchSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE) }
  public static let null = LaunchSignpostID(rawValue: 0)
  public static let invalid = LaunchSignpostID(rawValue: .max)

  /// The number in the trace; 0 for `exclusive`.
  @usableFromInline
  internal var recorded: UInt64 { self == .exclusive ? 0 : rawValue }
}
