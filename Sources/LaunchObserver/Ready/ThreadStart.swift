// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` on a new thread, which the caller joins or detaches.
///
/// - Returns: 0, or the errno of pthread_create(3). Then there is no thread.
func startThread(_ thread: inout pthread_t, _ body: @escaping @Sendable () -> Void) -> Int32 {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let context = Unmanaged.passRetained(Work(body))
  let failure = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, context.toOpaque())
  if failure != 0 { context.release() }
  return failure
}
