// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import Foundation
import LaunchProfiler
import LaunchTelemetry

/// A small catalogue over HTTP: `/health`, and `/search?word=…`. Ends on SIGTERM or SIGINT.
///
///     server [--until-ready] [--spool DIR] [--release 2.0|2.1] [PORT]
///
/// Port 0 takes a free one; the address is printed once it listens. `--until-ready` ends when the launch is over: to
/// measure it. `--spool` leaves a launch record in a directory: Examples/Fleet. Release 2.1 has a mistake that makes its launch
/// slower.
@main
struct Server {
  static let signposter = LaunchSignposter(subsystem: "org.example.server", category: "Launch")

  static func main() async throws {
    let interrupted = Interruption()
    let release = value(of: "--release") ?? "2.0"
    if let directory = value(of: "--spool") {
      do {
        try LaunchProfiler.start(deadline: .seconds(30), spool: LaunchSpool(directory: directory))
      } catch { FileHandle.standardError.write(Data("server: this launch is not recorded: \(error)\n".utf8)) }
      LaunchProfiler.metadata(version: release)
    }
    let untilReady = CommandLine.arguments.contains("--until-ready")
    let port = CommandLine.arguments.dropFirst().compactMap { UInt16($0) }.first ?? 8080

    // Two halves of the catalogue at once: two tracks in the trace, neither on the main thread.
    let catalogue = try await LaunchProfiler.phase(.didFinishLaunching) {
      // The mistake: one half after the other.
      if release == "2.1" { return try await Catalogue(halves: [loadHalf(0), loadHalf(1)]) }
      async let first = loadHalf(0)
      async let second = loadHalf(1)
      return try await Catalogue(halves: [first, second])
    }
    let server = try HTTPServer(address: .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    await server.appendRoute("GET /health") { _ in HTTPResponse(statusCode: .ok, body: Data("ok\n".utf8)) }
    await server.appendRoute("GET /search") { request in
      let word = request.query.first { $0.name == "word" }?.value ?? ""
      return HTTPResponse(statusCode: .ok, body: Data(catalogue.products(matching: word).joined(separator: "\n").utf8))
    }

    let running = Task {
      // If it cannot listen, `waitUntilListening` below would wait on.
      do { try await server.run() } catch  where !Task.isCancelled { fail(error) }
    }
    try await signposter.withIntervalSignpost("listen") { try await server.waitUntilListening() }
    LaunchProfiler.mark(.ready)
    if case .ip4(_, let port) = await server.listeningAddress { announce("listening on http://127.0.0.1:\(port)\n") }

    signposter.withIntervalSignpost("warm up") { catalogue.warmUp() }
    LaunchProfiler.fullyDrawn()

    if !untilReady { await interrupted.wait() }
    running.cancel()
  }

  static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("server: \(error)\n".utf8))
    exit(1)
  }

  static func value(of option: String) -> String? {
    guard let place = CommandLine.arguments.firstIndex(of: option), place + 1 < CommandLine.arguments.count else {
      return nil
    }
    return CommandLine.arguments[place + 1]
  }

  static func loadHalf(_ half: Int) async throws -> [Product] {
    try await signposter.withIntervalSignpost("load catalogue") { try await Catalogue.load(half: half) }
  }

  /// Not `print`: a server's output is often a pipe, and whoever waits for the address wants it now.
  static func announce(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }
}
