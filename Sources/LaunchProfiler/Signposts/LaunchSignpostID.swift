// SPDX-License-Identifier: Apache-2.0

/// Distinguishes intervals of one name that run at the same time. Mirrors `OSSignpostID`.
///
/// Like all types of this library, it conforms to few protocols, because each conformance costs launch time.
public struct LaunchSignpostID: Equatable, Sendable {
  @_borrowed public let rawValue: UInt64

  @_alwaysEmitIntoClient
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The id for an interval that never overlaps another one of its name.
  @_borrowed @_alwaysEmitIntoClient
  public static var exclusive: LaunchSignpostID { _read { yield LaunchSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE) } }
  @_borrowed @_alwaysEmitIntoClient
  public static var null: LaunchSignpostID { _read { yield LaunchSignpostID(rawValue: 0) } }
  @_borrowed @_alwaysEmitIntoClient
  public static var invalid: LaunchSignpostID { _read { yield LaunchSignpostID(rawValue: .max) } }

  /// The number in the trace; 0 for `exclusive`.
  @_borrowed @_alwaysEmitIntoClient
  internal var recorded: UInt64 { _read { yield self == .exclusive ? 0 : rawValue } }
}
