// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Programs of 32 bits, whose machine code is made here.
extension UnusualProgramTests {
  /// Its system calls have other numbers: nanosleep has that of sync.
  @Test(.enabled("this kernel runs no programs of 32 bits") { try runs32Bits() })
  func waitsOfAProgramOf32BitsHaveTheirNames() throws {
    let program = try directory.write(Self.sleeper32, to: "sleeper")
    chmod(program, 0o755)
    let unseen = try LaunchSeries.unseen {
      let errors = try observe([program]).run.errorText
      return errors.contains("sleeping or waiting (nanosleep)") ? [] : [errors]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  @Test func aProgramOf32Bits() throws {
    let program = try directory.write(Self.program32, to: "small")
    chmod(program, 0o755)
    let direct = try? TestProcess.run(program)
    guard let direct else {
      // This kernel does not run 32-bit programs.
      let run = try launchprof.run(["record", "--", program])
      #expect(run.outcome == .exited(126))
      return
    }
    #expect(direct.outcome == .exited(7))
    let (run, launch) = try observe([program])
    #expect(run.outcome == .exited(7))
    #expect(launch.points("exec").count == 1)
    #expect(launch.points("main").isEmpty)
  }

  /// mov $1,%eax; mov $7,%ebx; int $0x80.
  private static let program32 = program32([0xb8, 1, 0, 0, 0, 0xbb, 7, 0, 0, 0, 0xcd, 0x80])
  /// push $50000000; push $0; mov %esp,%ebx; xor %ecx,%ecx; mov $162,%eax; int $0x80; and the end with 0.
  private static let sleeper32 = program32([
    0x68, 0x80, 0xf0, 0xfa, 2, 0x6a, 0, 0x89, 0xe3, 0x31, 0xc9, 0xb8, 162, 0, 0, 0, 0xcd, 0x80, 0xb8, 1, 0, 0, 0,
    0xbb, 0, 0, 0, 0, 0xcd, 0x80,
  ])

  private static func runs32Bits() throws -> Bool {
    let directory = try TemporaryDirectory()
    let program = try directory.write(program32, to: "small")
    chmod(program, 0o755)
    return (try? TestProcess.run(program)) != nil
  }

  /// An ELF header, one program header (elf(5)), and the code.
  private static func program32(_ code: [UInt8]) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    let base: UInt32 = 0x0804_8000
    let header =
      [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0] + [UInt8](repeating: 0, count: 8) + half(2) + half(3) + word(1)
      + word(base + 84) + word(52) + word(0) + word(0) + half(52) + half(32) + half(1) + half(0) + half(0) + half(0)
    let size = UInt32(84 + code.count)
    let segment = [1, 0, base, base, size, size, 5, 4096].flatMap { word($0) }
    return header + segment + code
  }
}
