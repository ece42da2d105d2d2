// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import Testing

@testable import LaunchObserver

/// Names and unwind table of the kernel's code in each program, which has no file.
struct KernelCodeTests {
  /// The loader finds the functions of that code in this process, too.
  @Test func aFunctionHasItsNameAndCallers() throws {
    let library = try #require(dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD))
    defer { dlclose(library) }
    let function = try #require(dlsym(library, "__vdso_clock_gettime") ?? dlsym(library, "__kernel_clock_gettime"))
    var size = 0
    let start = try #require(lo_kernel_code(&size))
    let address = UInt64(function - UnsafeMutableRawPointer(mutating: start))
    #expect(address < size)
    let code = try #require(KernelCode())
    #expect(code.function(at: address)?.hasSuffix("clock_gettime") == true)
    #expect(code.function(at: address + 1) == code.function(at: address))
    #expect(code.function(at: 0) == nil && code.function(at: .max) == nil)
    #expect(code.unwindTable?.rule(at: address) != nil)
  }

  @Test func a32BitProgramHasOtherCode() {
    func isAt(_ path: String, _ address: UInt64) -> Bool {
      KernelCode.isAt(
        PerfEvents.Mapping(place: .init(), address: address, length: 8192, offset: 0, path: path, protection: 5))
    }
    #expect(isAt("[vdso]", 0x7ffd_1234_5000))
    #expect(!isAt("[vdso]", 0xf7fc_5000) && !isAt("/usr/lib/libc.so.6", 0x7ffd_1234_5000))
  }
}
