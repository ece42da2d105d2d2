#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why the main thread cannot be watched.
public struct LaunchSamplerError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: Sendable {
    case alreadyStarted
    /// The program handles that signal itself.
    case signalInUse
    /// There is no sampler for this platform.
    case unsupported
    /// The system refused a thread or memory.
    case system
  }

  public let code: Code
  public let errno: Int32

  static let notRecording = EPERM

  init(errno: Int32) {
    self.errno = errno
    switch errno {
    case EALREADY: code = .alreadyStarted
    case EBUSY: code = .signalInUse
    case ENOTSUP: code = .unsupported
    default: code = .system
    }
  }

  public var description: String {
    switch code {
    case .alreadyStarted: "LaunchSampler.start was called before; call it once, early in main"
    case .signalInUse: "the program handles the sampler's signal itself; give Options.signal another one"
    case .unsupported: "this platform has no launch sampler; use Instruments"
    case .system: "the main thread cannot be watched: \(String(cString: strerror(errno)))"
    }
  }
}
