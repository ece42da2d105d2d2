// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

/// Names of code that was compiled at run time: `/tmp/perf-<pid>.map`.
struct CompiledNamesTests {
  private let directory: TemporaryDirectory
  private let start: Int64

  init() throws {
    directory = try TemporaryDirectory()
    start = Int64(lo_now())
    // The kernel's times of files are some milliseconds late.
    usleep(30_000)
  }

  private var names: CompiledNames { CompiledNames(since: start, directory: directory.path) }

  @Test func aFunctionCoversItsBytes() throws {
    try directory.write("1000 20 JS:*load /srv/app.js:1:17\n0x2000 0x10 py::run:/srv/app.py\n", to: "perf-7.map")
    let names = names
    let found = [0xfff, 0x1000, 0x101f, 0x1020, 0x200f].map { names.name(of: 7, at: $0) }
    #expect(found == [nil, "JS:*load /srv/app.js:1:17", "JS:*load /srv/app.js:1:17", nil, "py::run:/srv/app.py"])
    #expect(names.name(of: 8, at: 0x1000) == nil)
  }

  /// The compiler may use memory again.
  @Test func theLaterLineCounts() throws {
    try directory.write("1000 100 old\n1010 10 inner\n1000 100 new\n", to: "perf-7.map")
    let names = names
    #expect([0x1000, 0x1015].map { names.name(of: 7, at: $0) } == ["new", "new"])
  }

  @Test func linesThatMakeNoSenseAreIgnored() throws {
    try directory.write(
      "\n1000\n1000 0 none\nx 10 y\nffffffffffffffff ffffffffffffffff last\n10 10 right\n", to: "perf-7.map")
    let names = names
    #expect([0x18, 0x1000, .max - 1].map { names.name(of: 7, at: $0) } == ["right", nil, nil])
    #expect(names.name(of: 7, at: .max) == nil)
  }

  /// It was written by an earlier process with the same id.
  @Test func anOlderFileIsIgnored() throws {
    try directory.write("1000 20 old\n", to: "perf-7.map")
    let later = CompiledNames(since: Int64(lo_now()) + 1_000_000_000, directory: directory.path)
    #expect(later.name(of: 7, at: 0x1000) == nil)
  }

  @Test func aLinkIsNotFollowed() throws {
    try directory.write("1000 20 secret\n", to: "other")
    #expect(symlink(directory.appending("other"), directory.appending("perf-7.map")) == 0)
    #expect(names.name(of: 7, at: 0x1000) == nil)
  }
}
