// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// The work of a one-time set-up that the calling thread is doing. Work may run other set-ups.
final class SetupWork {
  /// The file whose lock the work holds: its path has several spellings.
  private let lock: stat
  /// The work that this one is a part of.
  private let outer: SetupWork?

  private init(_ lock: stat, in outer: SetupWork?) { (self.lock, self.outer) = (lock, outer) }

  /// nil if the process has too many keys. Then nothing is known.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  private static var current: SetupWork? {
    guard let key, let work = pthread_getspecific(key) else { return nil }
    return Unmanaged<SetupWork>.fromOpaque(work).takeUnretainedValue()
  }

  /// Whether the calling thread does the work of the set-up whose lock is the file at `path`.
  static func isRunning(lockedBy path: String) -> Bool {
    var (work, facts) = (current, stat())
    guard work != nil, stat(path, &facts) == 0 else { return false }
    while let found = work {
      if found.lock.st_dev == facts.st_dev, found.lock.st_ino == facts.st_ino { return true }
      work = found.outer
    }
    return false
  }

  /// Does the work of the set-up that holds this lock.
  static func run(holding lock: Int32, _ body: () throws -> Void) rethrows {
    var facts = stat()
    guard let key, fstat(lock, &facts) == 0 else { return try body() }
    let outer = current
    let work = SetupWork(facts, in: outer)
    pthread_setspecific(key, Unmanaged.passUnretained(work).toOpaque())
    defer {
      pthread_setspecific(key, outer.map { Unmanaged.passUnretained($0).toOpaque() })
      withExtendedLifetime(work) {}
    }
    try body()
  }
}
#endif
