// SPDX-License-Identifier: Apache-2.0

import LaunchSystem
import Testing

struct PathTests {
  @Test(arguments: [
    ("/usr/lib/libc.so.6", "libc.so.6"), ("app", "app"), ("/a/b//", "b"), ("/", "/"), (#"/a/b\c"#, #"b\c"#),
    (#"C:\Windows\System32\ntdll.dll"#, "ntdll.dll"), ("D:/a/b.dll", "b.dll"),
    (#"\\server\share\c.exe"#, "c.exe"), ("", ""),
  ]) func theNameIsTheLastPart(path: String, name: String) {
    #expect(fileName(path) == name)
  }
}
