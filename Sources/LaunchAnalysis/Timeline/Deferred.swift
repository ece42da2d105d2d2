#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A value that is made when it is first asked for, once, whichever thread asks. Making it must not ask for it.
final class Deferred<Value: Sendable>: @unchecked Sendable {
  private enum State {
    case pending(@Sendable () -> Value)
    case made(Value)
  }

  // The state is touched under the lock only. (`Mutex` needs newer Apple systems than the package does.)
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  init(_ make: @escaping @Sendable () -> Value) {
    state = .pending(make)
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  var value: Value {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    switch state {
    case .made(let value): return value
    case .pending(let make):
      let value = make()
      state = .made(value)
      return value
    }
  }

  var isMade: Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if case .made = state { return true }
    return false
  }
}
