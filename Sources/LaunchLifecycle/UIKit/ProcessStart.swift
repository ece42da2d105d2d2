// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
internal import Darwin
internal import Foundation

/// When the process started, from the kernel's process table (sysctl(3), KERN_PROC_PID).
enum ProcessStart {
  /// How long ago the process started; nil if the kernel does not report it. The kernel reports wall time. So this is
  /// compared with the wall clock once, and is never the end of a duration.
  static var age: Duration? {
    guard let start = processInformation?.kp_proc.p_un.__p_starttime else { return nil }
    let seconds = Date().timeIntervalSince1970 - Double(start.tv_sec) - Double(start.tv_usec) / 1_000_000
    let age = Duration.seconds(seconds)
    // A negative age: the clock was set back since the process started.
    return age >= .zero ? age : nil
  }

  private static var processInformation: kinfo_proc? {
    var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    var information = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    let status = name.withUnsafeMutableBufferPointer { name in
      withUnsafeMutableBytes(of: &information) { bytes in
        withUnsafeMutablePointer(to: &size) { size in
          sysctl(name.baseAddress.unsafelyUnwrapped, UInt32(name.count), bytes.baseAddress, size, nil, 0)
        }
      }
    }
    return status == 0 && size > 0 ? information : nil
  }
}

/// Whether the system runs this launch ahead of time. Use it before didFinishLaunching returns, because the system then
/// removes the variable.
enum Prewarming {
  static let isActive = ProcessInfo.processInfo.environment["ActivePrewarm"] == "1"
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
#endif
