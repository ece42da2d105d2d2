// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaunchLifecycle
import LaunchProfiler
import ServiceLifecycle

/// Says hello to whoever connects.
struct Greeter: Service {
  private static let signposter = LaunchSignposter(subsystem: "org.example.service-server", category: "Launch")

  private let port: UInt16
  private let ports: (stream: AsyncStream<UInt16>, continuation: AsyncStream<UInt16>.Continuation)

  init(port: UInt16) {
    self.port = port
    ports = AsyncStream.makeStream(of: UInt16.self)
  }

  /// The port, once it listens.
  ///
  /// - Throws: `CancellationError` if it cannot listen: the group then cancels all services.
  func listening() async throws -> UInt16 {
    for await port in ports.stream { return port }
    throw CancellationError()
  }

  func run() async throws {
    let socket = try await Self.signposter.withIntervalSignpost("listen") { try await listen() }
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global())
    source.setEventHandler {
      let client = accept(socket, nil, nil)
      guard client >= 0 else { return }
      let greeting = Array("hello\n".utf8)
      _ = send(client, greeting, greeting.count, Int32(MSG_NOSIGNAL))
      close(client)
    }
    source.resume()
    ports.continuation.yield(Self.port(of: socket))
    try? await gracefulShutdown()
    source.cancel()
    close(socket)
  }

  private func listen() async throws -> Int32 {
    if let activated = await ServerBackend.activatedSockets.first { return activated.descriptor }
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard made >= 0, bound == 0, Foundation.listen(made, 16) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return made
  }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// Not `print`: a server's output is often a pipe, and whoever waits for the address wants it now.
func announce(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }
