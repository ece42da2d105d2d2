// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

/// Requests in Wayland's wire format, as a client sends them. The numbers are those of the protocol's XML files.
struct WaylandClient {
  private(set) var bytes: [UInt8] = []

  mutating func request(_ object: UInt32, _ opcode: UInt32, _ arguments: [UInt32] = []) {
    words([object, UInt32(8 + arguments.count * 4) << 16 | opcode] + arguments)
  }

  /// wl_registry.bind.
  mutating func bind(_ interface: String, registry: UInt32, as id: UInt32) {
    var name = Array(interface.utf8) + [0]
    let length = UInt32(name.count)
    while name.count % 4 != 0 { name.append(0) }
    words([registry, UInt32(8 + 8 + name.count + 8) << 16, 1, length])
    bytes += name
    words([1, id])
  }

  private mutating func words(_ words: [UInt32]) {
    for word in words { withUnsafeBytes(of: word) { bytes += $0 } }
  }

  /// Objects 2 to 4: the registry, the compositor and a shell; 5: a surface.
  init(shell: String = "xdg_wm_base") {
    request(1, 1, [2])
    bind("wl_compositor", registry: 2, as: 3)
    bind(shell, registry: 2, as: 4)
    request(3, 0, [5])
  }

  /// Surface 5 becomes a toplevel: objects 6 and 7.
  mutating func makeToplevel() {
    request(4, 2, [6, 5])
    request(6, 1, [7])
  }

  mutating func commit(buffer: UInt32, surface: UInt32 = 5) {
    request(surface, 1, [buffer, 0, 0])
    request(surface, 6)
  }

  /// The requests of a program that shows a window.
  static var withWindow: WaylandClient {
    var client = WaylandClient()
    client.makeToplevel()
    client.request(5, 6)
    client.commit(buffer: 8)
    return client
  }
}

struct WaylandRequestsTests {
  /// Whether a window became visible, at the first and at a later read of `size` bytes.
  private func showsWindow(_ client: WaylandClient, by size: Int = .max) throws -> Bool {
    let requests = try #require(lo_wayland_requests_new())
    defer { free(UnsafeMutableRawPointer(requests)) }
    var isShown = false
    var rest = client.bytes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(size))
      rest = rest.dropFirst(part.count)
      if lo_wayland_requests_read(requests, part, part.count) { isShown = true }
    }
    return isShown
  }

  /// The first commit of a toplevel asks for its size, and has no buffer.
  @Test func aWindowIsVisibleWithItsFirstBuffer() throws {
    var client = WaylandClient()
    client.makeToplevel()
    client.request(5, 6)
    #expect(try !showsWindow(client))
    client.commit(buffer: 0)
    #expect(try !showsWindow(client))
    client.commit(buffer: 8)
    #expect(try showsWindow(client))
  }

  @Test func requestsMayArriveInPieces() throws {
    for size in 1...70 { #expect(try showsWindow(.withWindow, by: size), "\(size)") }
  }

  @Test func olderShellsAndPanelsHaveWindows() throws {
    var older = WaylandClient(shell: "zxdg_shell_v6")
    older.makeToplevel()
    older.commit(buffer: 8)
    #expect(try showsWindow(older))
    var panel = WaylandClient(shell: "zwlr_layer_shell_v1")
    panel.request(4, 0, [6, 5, 0, 2, 1, 0])
    panel.commit(buffer: 8)
    #expect(try showsWindow(panel))
  }

  @Test func cursorsAndMenusAreNoWindows() throws {
    var client = WaylandClient()
    client.commit(buffer: 8)
    client.request(4, 2, [6, 5])
    client.request(6, 2, [7, 0, 9])
    client.commit(buffer: 8)
    #expect(try !showsWindow(client))
  }

  /// An id that is used again is another object.
  @Test func destroyedObjectsAreForgotten() throws {
    var client = WaylandClient()
    client.makeToplevel()
    client.request(6, 0)
    client.request(5, 0)
    client.commit(buffer: 8)
    #expect(try !showsWindow(client))
    client.request(3, 0, [5])
    client.commit(buffer: 8)
    #expect(try !showsWindow(client))
    client.makeToplevel()
    client.commit(buffer: 8)
    #expect(try showsWindow(client))
  }

  /// A long request, such as a title, does not matter, and neither do those of objects that nobody knows.
  @Test func otherRequestsArePassedOver() throws {
    var client = WaylandClient()
    client.request(99, 3, [UInt32](repeating: 7, count: 1000))
    client.bind(String(repeating: "x", count: 900), registry: 2, as: 5)
    client.makeToplevel()
    client.commit(buffer: 8)
    #expect(try showsWindow(client))
  }

  @Test func nothingIsReadAfterARequestThatIsTooShort() throws {
    var client = WaylandClient()
    client.makeToplevel()
    client.commit(buffer: 8)
    var broken = WaylandClient()
    broken.request(1, 0, [])
    var bytes = broken.bytes
    bytes[bytes.count - 2] = 4
    let requests = try #require(lo_wayland_requests_new())
    defer { free(UnsafeMutableRawPointer(requests)) }
    #expect(!lo_wayland_requests_read(requests, bytes, bytes.count))
    #expect(!lo_wayland_requests_read(requests, client.bytes, client.bytes.count))
  }

  /// More objects than are remembered, and requests of every length and kind.
  @Test func anyBytesAreRead() throws {
    var random = SeededGenerator()
    for _ in 0..<600 {
      var client = WaylandClient()
      for _ in 0..<Int.random(in: 0..<400, using: &random) {
        let arguments = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          UInt32.random(in: 0..<300, using: &random)
        }
        client.request(
          UInt32.random(in: 0..<20, using: &random), UInt32.random(in: 0..<8, using: &random), arguments)
      }
      var bytes = client.bytes
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let requests = try #require(lo_wayland_requests_new())
      defer { free(UnsafeMutableRawPointer(requests)) }
      _ = lo_wayland_requests_read(requests, bytes, bytes.count)
    }
  }
}
