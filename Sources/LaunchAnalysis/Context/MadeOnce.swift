// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// A value that is made once, on the first request from any thread. Making it must not ask for it.
final class MadeOnce<Value: Sendable>: @unchecked Sendable {
  // Access only under the lock. (`Mutex` needs newer Apple systems than the package does.)
  private var made: Value?
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// - Parameter make: makes the value on the first request. It must give the same value each time.
  func value(_ make: () -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if let made { return made }
    let value = make()
    made = value
    return value
  }

  var isMade: Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return made != nil
  }
}
