// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlatform

/// Why the sampler could not start.
public struct LaunchSamplerError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: Sendable {
    case alreadyStarted
    /// The program handles the sampler's signal itself.
    case signalInUse
    /// The sampler does not support this platform.
    case unsupported
    /// The system could not provide a thread or memory.
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
    case .signalInUse: "the program handles the sampler's signal itself; set Options.signal to another signal"
    case .unsupported: "the launch sampler does not support this platform; use Instruments"
    // Only the signal's number can be invalid.
    case .system where errno == EINVAL:
      "Options.signal is not the number of a signal that a program can handle; choose another, such as SIGUSR2"
    case .system: "cannot watch the main thread: \(String(cString: strerror(errno)))"
    }
  }
}
