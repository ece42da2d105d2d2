// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Something that Swift's runtime looked up for the first time in a launch.
package struct Lookup: Sendable, Equatable {
  package enum Kind: RawRepresentable, CaseIterable, Sendable {
    /// How a type conforms to a protocol, if it does.
    case conformance
    /// A type, by its mangled name.
    case typeName

    package init?(rawValue: String) {
      guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = kind
    }

    package var rawValue: String {
      switch self {
      case .conformance: LS_LOOKUP_CONFORMANCE
      case .typeName: LS_LOOKUP_TYPE_NAME
      }
    }
  }

  /// Why the runtime looked: by the functions between it and the code that asked.
  package enum Cause: String, Sendable, CaseIterable {
    /// `String(describing:)`, `print`, interpolation.
    case describing
    /// `Mirror`
    case reflection
    /// `as?`, `as!`, `is`
    case cast
    /// Metadata and witness tables of generic types.
    case generics
    /// None of these.
    case other
  }

  package var kind: Kind
  /// `app.Catalogue`; `0x7f…` when its name is not known.
  package var type: String
  /// nil of a look-up by name.
  package var protocolName: String?
  package var cause: Cause
  /// How often it was looked up again.
  package var repeats: Int
  package var thread: String
  package var isOnMainThread: Bool
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// With the look-ups inside, ns; without what the probes cost, and without waits of the main thread for a CPU.
  package var duration: Int64
  /// Without them.
  package var selfTime: Int64
  /// The innermost function outside of Swift's own libraries; empty if not known.
  package var asker: String

  /// `app.Catalogue: Encodable`
  package var name: String { protocolName.map { "\(type): \($0)" } ?? type }
}
