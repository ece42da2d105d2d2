// SPDX-License-Identifier: Apache-2.0

#if canImport(os)
public import os

/// Records intervals and events of a subsystem and category. On Apple platforms it uses `OSSignposter`, and Instruments
/// shows what it records. Its interface is the same as on other platforms.
public struct LaunchSignposter: Sendable {
  @usableFromInline internal let signposter: OSSignposter

  public init(subsystem: String, category: String) {
    signposter = OSSignposter(subsystem: subsystem, category: category)
  }

  @usableFromInline
  internal init(_ signposter: OSSignposter) { self.signposter = signposter }

  /// A signposter that records nothing.
  public static let disabled = LaunchSignposter(OSSignposter.disabled)

  @_alwaysEmitIntoClient
  public var isEnabled: Bool { signposter.isEnabled }

  @_alwaysEmitIntoClient
  public func makeSignpostID() -> LaunchSignpostID { LaunchSignpostID(rawValue: signposter.makeSignpostID().rawValue) }

  @_alwaysEmitIntoClient
  public func makeSignpostID(from object: AnyObject) -> LaunchSignpostID {
    LaunchSignpostID(rawValue: signposter.makeSignpostID(from: object).rawValue)
  }
}

extension LaunchSignpostID {
  @usableFromInline internal var os: OSSignpostID { OSSignpostID(rawValue) }
}

extension LaunchSignposter {
  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, around body: () throws(E) -> T
  ) throws(E) -> T {
    let state = signposter.beginInterval(name, id: id.os)
    defer { signposter.endInterval(name, state) }
    return try body()
  }

  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String,
    around body: () throws(E) -> T
  ) throws(E) -> T {
    let state = beginInterval(name, id: id, message())
    defer { endInterval(name, state) }
    return try body()
  }

  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, isolation: isolated (any Actor)? = #isolation,
    around body: () async throws(E) -> T
  ) async throws(E) -> T {
    let state = signposter.beginInterval(name, id: id.os)
    defer { signposter.endInterval(name, state) }
    return try await body()
  }

  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String,
    isolation: isolated (any Actor)? = #isolation, around body: () async throws(E) -> T
  ) async throws(E) -> T {
    let state = beginInterval(name, id: id, message())
    defer { endInterval(name, state) }
    return try await body()
  }
}

extension LaunchSignposter {
  @_alwaysEmitIntoClient
  public func beginInterval(_ name: StaticString, id: LaunchSignpostID = .exclusive) -> LaunchIntervalState {
    LaunchIntervalState(state: signposter.beginInterval(name, id: id.os))
  }

  @_alwaysEmitIntoClient
  public func beginInterval(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String
  ) -> LaunchIntervalState {
    guard isEnabled else { return beginInterval(name, id: id) }
    let message = message()
    return LaunchIntervalState(state: signposter.beginInterval(name, id: id.os, "\(message, privacy: .public)"))
  }

  @_alwaysEmitIntoClient
  public func beginAnimationInterval(_ name: StaticString, id: LaunchSignpostID = .exclusive) -> LaunchIntervalState {
    LaunchIntervalState(state: signposter.beginAnimationInterval(name, id: id.os))
  }

  @_alwaysEmitIntoClient
  public func endInterval(_ name: StaticString, _ state: LaunchIntervalState) {
    signposter.endInterval(name, state.state)
  }

  @_alwaysEmitIntoClient
  public func endInterval(_ name: StaticString, _ state: LaunchIntervalState, _ message: @autoclosure () -> String) {
    guard isEnabled else { return endInterval(name, state) }
    let message = message()
    signposter.endInterval(name, state.state, "\(message, privacy: .public)")
  }

  @_alwaysEmitIntoClient
  public func emitEvent(_ name: StaticString, id: LaunchSignpostID = .exclusive) {
    signposter.emitEvent(name, id: id.os)
  }

  @_alwaysEmitIntoClient
  public func emitEvent(_ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String) {
    guard isEnabled else { return }
    let message = message()
    signposter.emitEvent(name, id: id.os, "\(message, privacy: .public)")
  }
}

/// An open interval, for `endInterval`.
public struct LaunchIntervalState: Sendable {
  @usableFromInline internal let state: OSSignpostIntervalState

  @usableFromInline
  internal init(state: OSSignpostIntervalState) { self.state = state }
}
#endif
