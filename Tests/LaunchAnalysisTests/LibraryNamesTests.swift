// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

struct LibraryNamesTests {
  @Test func aLinkNamesTheFilesThatGoOnFromIt() {
    let names = LibraryNames(["libz.so.1.2.13", "libc.so.6", "libz.so.1", "libz.so.12", "libx.so.1.1", "libx.so.1.2"])
    #expect(names.first("libz.so.1") == 2 && names.first("libz.so.1.2") == 0 && names.first("libz.so") == 0)
    #expect(names.first("libc.so.6") == 1 && names.first("libc.so.7") == nil && names.first("libz.so.") == nil)
    #expect(names.only("libz.so.1") == nil && names.only("libz.so.12") == 3 && names.only("libz.so.1.2") == 0)
    #expect(names.first("libx.so.1") == 4 && names.only("libx.so.1") == nil)
    #expect(LibraryNames([]).first("libc.so.6") == nil)
  }
}
