// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import LaunchProfiler
import Logging
import ServiceLifecycle

/// A greeter over TCP. Its host is a ServiceGroup: it starts the services, and ends them well on SIGTERM and SIGINT.
///
///     service-server [PORT]
///
/// Port 0 takes a free one; the address is printed once it listens. Under systemd with `Type=notify` it says when it is
/// ready; with a socket unit it takes systemd's socket.
@main
struct ServiceServer {
  static func main() async throws {
    LaunchCircumstances.current.record()
    let port = CommandLine.arguments.dropFirst().compactMap { UInt16($0) }.first ?? 0
    let greeter = LaunchProfiler.phase(.didFinishLaunching) { Greeter(port: port) }
    let group = ServiceGroup(
      services: [greeter, Readiness(of: greeter)], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: Logger(label: "org.example.service-server"))
    try await group.run()
    ServiceNotification.stopping()
  }
}

/// Says that the launch is over when the greeter listens.
struct Readiness: Service {
  let greeter: Greeter

  init(of greeter: Greeter) { self.greeter = greeter }

  func run() async throws {
    let port = try await greeter.listening()
    ServiceNotification.ready()
    announce("listening on 127.0.0.1:\(port)\n")
    try await gracefulShutdown()
  }
}
