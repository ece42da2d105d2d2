// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import CLaunchRecorder

extension LaunchSignposter {
  /// Begins an interval that may overlap others, and that another thread may end. It has its own track in the trace.
  ///
  /// For work within one scope, use `withIntervalSignpost`: it is cheaper, and its intervals nest.
  @_alwaysEmitIntoClient
  public func beginInterval(_ name: StaticString, id: LaunchSignpostID = .exclusive) -> LaunchIntervalState {
    let pointer = name.signpostName
    let interval = lr_async_begin(category, pointer, id.recorded, nil, 0)
    return LaunchIntervalState(signpostID: id, interval: interval)
  }

  /// Begins an interval with a message. The message is evaluated only while the launch is recorded, and the trace keeps
  /// at most 2,048 bytes of it.
  @_alwaysEmitIntoClient
  public func beginInterval(
    _ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String
  ) -> LaunchIntervalState {
    let pointer = name.signpostName
    let interval = beginAsync(pointer, id: id, message: isEnabled ? message() : nil)
    return LaunchIntervalState(signpostID: id, interval: interval)
  }

  /// Like `beginInterval`. On Apple platforms, Instruments shows animation hitches for it.
  @_alwaysEmitIntoClient
  public func beginAnimationInterval(_ name: StaticString, id: LaunchSignpostID = .exclusive) -> LaunchIntervalState {
    beginInterval(name, id: id)
  }

  /// Ends the interval of `state`. `name` must be the name with which it began.
  @_alwaysEmitIntoClient
  public func endInterval(_ name: StaticString, _ state: LaunchIntervalState) {
    lr_async_end(category, name.signpostName, state.signpostID.recorded, state.interval, nil, 0)
  }

  /// Ends the interval with a message, for example about the result.
  @_alwaysEmitIntoClient
  public func endInterval(_ name: StaticString, _ state: LaunchIntervalState, _ message: @autoclosure () -> String) {
    if isEnabled { end(name, state, message: message()) } else { endInterval(name, state) }
  }

  @usableFromInline
  internal func end(_ name: StaticString, _ state: LaunchIntervalState, message: String) {
    var message = message
    message.withUTF8 {
      lr_async_end(category, name.signpostName, state.signpostID.recorded, state.interval, $0.characters, $0.count)
    }
  }

  /// Records an instant on the calling thread.
  @_alwaysEmitIntoClient
  public func emitEvent(_ name: StaticString, id: LaunchSignpostID = .exclusive) {
    let pointer = name.signpostName
    if id == .exclusive { lr_event(category, pointer) } else { emit(pointer, id: id, message: "") }
  }

  /// Records an instant with a message. The message is evaluated only while the launch is recorded, and the trace keeps
  /// at most 2,048 bytes of it.
  @_alwaysEmitIntoClient
  public func emitEvent(_ name: StaticString, id: LaunchSignpostID = .exclusive, _ message: @autoclosure () -> String) {
    let pointer = name.signpostName
    if isEnabled { emit(pointer, id: id, message: message()) } else { lr_event(category, pointer) }
  }

  @usableFromInline
  internal func emit(_ name: UnsafePointer<CChar>, id: LaunchSignpostID, message: String) {
    guard isEnabled else { return lr_event(category, name) }
    var message = message
    message.withUTF8 { lr_event_message(category, name, id.recorded, $0.characters, $0.count) }
  }
}

/// An open interval, for `endInterval`. Ending it a second time records nothing. Mirrors `OSSignpostIntervalState`,
/// without an object on the heap.
public struct LaunchIntervalState: Sendable {
  @_borrowed @usableFromInline internal let signpostID: LaunchSignpostID
  @_borrowed @usableFromInline internal let interval: lr_async

  @_alwaysEmitIntoClient
  internal init(signpostID: LaunchSignpostID, interval: lr_async) {
    self.signpostID = signpostID
    self.interval = interval
  }
}
#endif
