// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

/// The file that a call is about, asked of this process itself.
struct CallFileTests {
  private let directory: TemporaryDirectory
  private let gate: String

  init() throws {
    directory = try TemporaryDirectory()
    gate = directory.appending("gate")
    try #require(mkfifo(gate, 0o600) == 0)
  }

  private func path(_ name: String, in directory: Int32 = AT_FDCWD, isSleeping: Bool = true) throws -> String {
    let call = try #require((0..<600).first { WaitProbe.systemCallName($0) == "openat" })
    let form = try #require(lo_system_call_of_file(call)?.pointee)
    // The call is given a copy that does not end with its page.
    return name.withCString { text in
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      defer { bytes.deallocate() }
      strcpy(bytes.assumingMemoryBound(to: CChar.self), text)
      let arguments = [UInt64(UInt32(bitPattern: directory)), UInt64(UInt(bitPattern: bytes)), 0, 0, 0, 0]
      return CallFile(processID: getpid(), isSleeping: isSleeping).path(form, arguments)
    }
  }

  /// Its name looks like a file's, and the advice was about the disk.
  @Test func anOpenOfAFIFOSaysSo() throws {
    let folder = open(directory.path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    // openat2(2) can ask without waiting since Linux 5.12.
    try #require(lo_is_cached_fifo("/proc/self/root", gate))
    #expect(try path(gate) == "fifo:\(gate)")
    #expect(try path("gate", in: folder) == "fifo:gate")
    #expect(try path(gate, isSleeping: false) == gate)
  }

  @Test func otherFilesKeepTheirNames() throws {
    let file = try directory.write("", to: "file")
    #expect(try path(file) == file)
    #expect(try path(directory.appending("none")) == directory.appending("none"))
    #expect(try path("gate") == "gate" && path("").isEmpty)
  }
}
