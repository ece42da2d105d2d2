// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import Testing

/// Copies of what a pipe holds, for several launches.
struct PipeCopyTests {
  /// F_SETPIPE_SZ and F_GETPIPE_SZ of Linux.
  private static let (setSize, getSize): (Int32, Int32) = (1031, 1032)

  /// - Parameter size: the pipe's; users without rights may have 1 MiB.
  @Test(arguments: [1 << 16, 4 << 20])
  func aPipeIsNotMadeSmaller(size: Int32) throws {
    var (source, end): (Int32, Int32) = (-1, -1)
    try #require(lo_pipe(&source, &end) == 0)
    defer { close(source) }
    let isAllowed = fcntl(end, Self.setSize, size) >= size
    try #require(write(end, "input", 5) == 5)
    close(end)
    let copy = lo_pipe_copy(source, 10_000)
    defer { close(copy) }
    try #require(copy >= 0)
    if isAllowed { #expect(fcntl(source, Self.getSize) >= size) }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(copy, &bytes, 10) == 5 && bytes.starts(with: "input".utf8))
    #expect(read(source, &bytes, 10) == 5)
  }
}
