// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LaunchViewer

/// The server, in this process: which requests get the file.
@Suite struct TraceServerTests {
  private static let origin = "https://viewer.example"

  /// Messages from the server's thread.
  private final class Told: @unchecked Sendable {
    var address = ""
    var outcome: TraceServer.Outcome?
    let isListening = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
  }

  /// Serves `bytes` on its own thread while `body` runs.
  private func serving(
    _ bytes: [UInt8], seconds: Double = 60, nextClient: (@Sendable (Int32) -> Int32)? = nil,
    mayRead: (@Sendable (Int32) -> Bool)? = nil, _ body: (_ address: String) throws -> Void
  ) throws -> TraceServer.Outcome? {
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "launch.json")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let file = try ServedFile(descriptor: descriptor, name: path, contentType: "application/json")
    let told = Told()
    Thread.detachNewThread {
      defer {
        told.isListening.signal()
        told.hasEnded.signal()
      }
      guard var server = try? TraceServer(file, origin: Self.origin, port: 0) else { return }
      if let nextClient { server.nextClient = nextClient }
      if let mayRead { server.mayRead = mayRead }
      told.address = server.address
      told.isListening.signal()
      told.outcome = server.serve(seconds: seconds) { false }
    }
    told.isListening.wait()
    // The file stays open until the server has ended.
    defer { told.hasEnded.wait() }
    try body(told.address)
    told.hasEnded.wait()
    told.hasEnded.signal()
    return told.outcome
  }

  @Test func theFileIsServedOnce() throws {
    let bytes = [UInt8](repeating: 65, count: 3_000_000)
    let outcome = try serving(bytes) { address in
      let head = try HTTPClient.request("HEAD", address, fields: ["Origin: \(Self.origin)"])
      #expect(head?.status == 200 && head?.fields["content-length"] == "3000000" && head?.body.isEmpty == true)
      let ask = try HTTPClient.request(
        "OPTIONS", address, fields: ["Origin: \(Self.origin)", "Access-Control-Request-Private-Network: true"])
      #expect(ask?.status == 204 && ask?.fields["access-control-allow-private-network"] == "true")
      let got = try HTTPClient.request("GET", address, fields: ["Origin: \(Self.origin)"])
      #expect(got?.status == 200 && got?.body == bytes)
      #expect(got?.fields["access-control-allow-origin"] == Self.origin)
      #expect(got?.fields["cache-control"] == "no-store" && got?.fields["content-type"] == "application/json")
    }
    #expect(outcome == .fetched)
  }

  @Test func othersDoNotGetIt() throws {
    let outcome = try serving([1, 2, 3]) { address in
      let (port, path) = try #require(HTTPClient.parts(address))
      #expect(try HTTPClient.request("GET", address, fields: ["Origin: https://evil.example"])?.status == 403)
      #expect(try HTTPClient.request("GET", address, fields: ["Origin: null"])?.status == 403)
      #expect(try HTTPClient.request("POST", address)?.status == 405)
      for other in [
        "/", "/launch.json", path + "x", "/../" + path, "/\(String(repeating: "0", count: 32))/launch.json",
      ] {
        let answer = try HTTPClient.request("GET", "http://127.0.0.1:\(port)\(other)")
        #expect(answer?.status == 404 && answer?.body.isEmpty == true, "\(other)")
      }
      // The server refuses a Host header with another name.
      let client = try HTTPClient(port: port)
      client.send("GET \(path) HTTP/1.1\r\nHost: evil.example:\(port)\r\n\r\n")
      #expect(client.receive()?.status == 403)
      #expect(try HTTPClient.request("GET", address)?.body == [1, 2, 3])
    }
    #expect(outcome == .fetched)
  }

  /// Others can see the link in the arguments of the browser. They get nothing, and do not end the server.
  @Test func otherUsersDoNotGetIt() throws {
    let clients = Mutex(0)
    let isSecond: @Sendable (Int32) -> Bool = { _ in
      clients.withLock { clients in
        clients += 1
        return clients == 2
      }
    }
    let outcome = try serving([1, 2, 3], mayRead: isSecond) { address in
      let refused = try HTTPClient.request("GET", address)
      #expect(refused?.status == 403 && refused?.body.isEmpty == true)
      #expect(try HTTPClient.request("GET", address)?.body == [1, 2, 3])
    }
    #expect(outcome == .fetched)
  }

  /// A browser that another user runs is not as if nobody had asked.
  @Test func theOutcomeTellsOfOtherUsers() throws {
    let nobody: @Sendable (Int32) -> Bool = { _ in false }
    let outcome = try serving([1], seconds: 2, mayRead: nobody) { address in
      let refused = try HTTPClient.request("GET", address, fields: ["Origin: \(Self.origin)"])
      #expect(refused?.status == 403 && refused?.fields["access-control-allow-origin"] == Self.origin)
    }
    #expect(outcome == .refused)
  }

  @Test func brokenRequestsAreRefused() throws {
    let outcome = try serving([1]) { address in
      let (port, path) = try #require(HTTPClient.parts(address))
      let requests = [
        "\u{0}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET \(path)\r\n\r\n", "GET \(path) HTTP/9\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nno colon\r\n\r\n", "GET \(path) HTTP/1.1\r\nHost : 127.0.0.1:\(port)\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nA: b\nC: d\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n folded: x\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nHost: 127.0.0.1:\(port)\r\n\r\n",
      ]
      for request in requests {
        let client = try HTTPClient(port: port)
        client.send(request)
        #expect(client.receive()?.status == 400, "\(request.debugDescription)")
      }
      let long = try HTTPClient(port: port)
      long.send("GET \(path) HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000))
      #expect(long.receive()?.status == 431)
      #expect(try HTTPClient.request("GET", address)?.status == 200)
    }
    #expect(outcome == .fetched)
  }

  /// Clients that send nothing or read nothing do not block others.
  @Test func slowClientsHoldNobodyUp() throws {
    let outcome = try serving([UInt8](repeating: 1, count: 8_000_000)) { address in
      let (port, path) = try #require(HTTPClient.parts(address))
      let silent = try (0..<10).map { _ in try HTTPClient(port: port) }
      for client in silent { client.send("GET ") }
      let deaf = try HTTPClient(port: port)
      deaf.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(try HTTPClient.request("GET", address)?.body.count == 8_000_000)
      withExtendedLifetime((silent, deaf)) {}
    }
    #expect(outcome == .fetched)
  }

  /// Any page in a browser can open connections to a port of this machine.
  @Test func manySilentClientsHoldNobodyUp() throws {
    let outcome = try serving([1, 2, 3]) { address in
      let (port, _) = try #require(HTTPClient.parts(address))
      let silent = try (0..<100).map { _ in try HTTPClient(port: port) }
      #expect(try HTTPClient.request("GET", address)?.body == [1, 2, 3])
      withExtendedLifetime(silent) {}
    }
    #expect(outcome == .fetched)
  }

  /// A process without a free descriptor cannot take a client from the queue. It tries again ten times a second.
  @Test func withoutADescriptorItWaits() throws {
    let tries = Mutex(0)
    let full: @Sendable (Int32) -> Int32 = { _ in
      tries.withLock { $0 += 1 }
      errno = EMFILE
      return -1
    }
    let outcome = try serving([1], seconds: 2, nextClient: full) { address in
      let (port, _) = try #require(HTTPClient.parts(address))
      _ = try HTTPClient(port: port)
    }
    #expect(outcome == .timedOut)
    #expect((1...21).contains(tries.withLock { $0 }))
  }

  @Test func itAcceptsAgainOnceADescriptorIsFree() throws {
    let calls = Mutex(0)
    let fullTwice: @Sendable (Int32) -> Int32 = { listener in
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      if number > 2 { return accept(listener, nil, nil) }
      errno = ENFILE
      return -1
    }
    let outcome = try serving([7], nextClient: fullTwice) { address in
      let answer = try HTTPClient.request("GET", address)
      #expect(answer?.body == [7])
    }
    #expect(outcome == .fetched && calls.withLock { $0 } > 2)
  }

  /// However fast one client reads, the server looks at the others after each piece.
  @Test func aFileIsSentInTurns() throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let descriptor = open(try directory.write(bytes, to: "x.json"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let file = try ServedFile(descriptor: descriptor, name: "x.json", contentType: "application/json")
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let request = Array("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    #expect(send(ends[1], request, request.count, 0) == request.count)
    var connection = ServedConnection(descriptor: ends[0], now: 0)
    defer { connection.finish() }
    var (got, steps) = ([UInt8](), 0)
    while connection.state != .draining, steps < 100 {
      connection.proceed(
        { _ in
          var answer = HTTPAnswer(.ok)
          answer.hasBody = true
          return answer
        }, file: file, now: 0)
      var chunk = [UInt8](repeating: 0, count: 1 << 20)
      let count = recv(ends[1], &chunk, chunk.count, Int32(MSG_DONTWAIT))
      #expect(count <= ServedConnection.piece + 1000)
      got += chunk[..<max(0, count)]
      steps += 1
    }
    #expect(connection.hasFetched && Array(got.suffix(bytes.count)) == bytes)
  }

  @Test func itEndsWhenNobodyComes() throws {
    #expect(try serving([1], seconds: 0.05) { _ in } == .timedOut)
  }

  @Test func aTakenPortIsNamed() throws {
    let outcome = try serving([1]) { address in
      let (port, _) = try #require(HTTPClient.parts(address))
      let directory = try TemporaryDirectory()
      let descriptor = open(try directory.write([1] as [UInt8], to: "x"), O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let file = try ServedFile(descriptor: descriptor, name: "x", contentType: "text/plain")
      do throws(ServingError) {
        _ = try TraceServer(file, origin: Self.origin, port: port)
        Issue.record("listens twice")
      } catch { #expect(error.code == .portTaken && error.message.contains("port \(port) is in use")) }
      #expect(try HTTPClient.request("GET", address, fields: ["Origin: \(Self.origin)"])?.status == 200)
    }
    #expect(outcome == .fetched)
  }
}
