// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// The work of a one-time set-up that the calling thread is doing. Work may run other set-ups.
final class SetupWork {
  private let mark: String
  /// The work that this one is a part of.
  private let outer: SetupWork?

  private init(_ mark: String, in outer: SetupWork?) { (self.mark, self.outer) = (mark, outer) }

  /// nil if the process has too many keys. Then nothing is known.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  private static var current: SetupWork? {
    guard let key, let work = pthread_getspecific(key) else { return nil }
    return Unmanaged<SetupWork>.fromOpaque(work).takeUnretainedValue()
  }

  /// Whether the calling thread does the work of the set-up with this mark.
  static func isRunning(_ mark: String) -> Bool {
    var work = current
    while let found = work {
      if found.mark == mark { return true }
      work = found.outer
    }
    return false
  }

  /// Does the work of the set-up with this mark.
  static func run(_ mark: String, _ body: () throws -> Void) rethrows {
    guard let key else { return try body() }
    let outer = current
    let work = SetupWork(mark, in: outer)
    pthread_setspecific(key, Unmanaged.passUnretained(work).toOpaque())
    defer {
      pthread_setspecific(key, outer.map { Unmanaged.passUnretained($0).toOpaque() })
      withExtendedLifetime(work) {}
    }
    try body()
  }
}
#endif
