// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` on a new thread, which the caller joins or detaches. Signals are for the launcher's thread: if a reader closes our
/// output, write(2) reports it.
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
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, context.toOpaque())
  if failure != 0 { context.release() }
  return failure
}
