// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

extension LaunchSignposter {
  /// Runs `body` as an interval on the calling thread's track.
  ///
  /// The recorder flags an interval on the main thread that takes longer than its budget. Throws what `body` throws.
  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, around body: () throws(E) -> T
  ) throws(E) -> T {
    let pointer = name.signpostName
    let interval =
      id == .exclusive
      ? lr_interval_begin(category, pointer) : beginScoped(pointer, id: id, message: nil)
    defer { lr_interval_end(category, pointer, interval) }
    return try body()
  }

  /// Runs `body` as an interval with a message. The message is evaluated only while the launch is recorded, and the
  /// trace keeps at most 2,048 bytes of it. Throws what `body` throws.
  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String,
    around body: () throws(E) -> T
  ) throws(E) -> T {
    let pointer = name.signpostName
    let interval =
      isEnabled ? beginScoped(pointer, id: id, message: message()) : lr_interval_begin(category, pointer)
    defer { lr_interval_end(category, pointer, interval) }
    return try body()
  }

  /// Runs an async `body` as an interval with its own track in the trace. `body` may suspend and change threads.
  ///
  /// Throws what `body` throws.
  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, isolation: isolated (any Actor)? = #isolation,
    around body: () async throws(E) -> T
  ) async throws(E) -> T {
    let pointer = name.signpostName
    let interval = lr_async_begin(category, pointer, id.recorded, nil, 0)
    defer { lr_async_end_scoped(category, pointer, id.recorded, interval) }
    return try await body()
  }

  /// Runs an async `body` as an interval with a message. The message is evaluated only while the launch is recorded,
  /// and the trace keeps at most 2,048 bytes of it. Throws what `body` throws.
  @_alwaysEmitIntoClient
  public func withIntervalSignpost<T: ~Copyable, E: Error>(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String,
    isolation: isolated (any Actor)? = #isolation, around body: () async throws(E) -> T
  ) async throws(E) -> T {
    let pointer = name.signpostName
    let interval = beginAsync(pointer, id: id, message: isEnabled ? message() : nil)
    defer { lr_async_end_scoped(category, pointer, id.recorded, interval) }
    return try await body()
  }

  @usableFromInline
  internal func beginScoped(_ name: UnsafePointer<CChar>, id: LaunchSignpostID, message: String?) -> lr_interval {
    guard isEnabled else { return lr_interval_begin(category, name) }
    var message = message ?? ""
    return message.withUTF8 { lr_interval_begin_message(category, name, id.recorded, $0.characters, $0.count) }
  }

  @usableFromInline
  internal func beginAsync(_ name: UnsafePointer<CChar>, id: LaunchSignpostID, message: String?) -> lr_async {
    guard var message else { return lr_async_begin(category, name, id.recorded, nil, 0) }
    return message.withUTF8 { lr_async_begin(category, name, id.recorded, $0.characters, $0.count) }
  }
}
#endif
