// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform
internal import LaunchProfiler

/// Sends a service's state to the process that started it, like sd_notify(3), without libsystemd.
public enum ServiceNotification {
  /// Reports that the service can do its work, for example that it listens. Marks `ready`, and sends `READY=1`.
  public static func ready() {
    LaunchProfiler.mark(.ready)
    send("READY=1")
  }

  /// Reports that the service is about to end: sends `STOPPING=1`.
  public static func stopping() { send("STOPPING=1") }

  /// Sends lines of `NAME=value` to the socket that `NOTIFY_SOCKET` names. Does nothing if the variable is not set.
  ///
  /// - Returns: 0, or an errno.
  @discardableResult
  public static func send(_ state: String) -> Int32 {
    guard let name = getenv("NOTIFY_SOCKET"), name.pointee != 0 else { return 0 }
    return send(state, to: String(cString: name))
  }

  /// - Parameter name: a path, or `@` and an abstract name.
  static func send(_ state: String, to name: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    guard name.hasPrefix("/") || name.hasPrefix("@"), path.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return EINVAL
    }
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    // The length of an abstract name is given by the length of the address.
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
    return sent == bytes.count ? 0 : errno
  }
}
#endif
