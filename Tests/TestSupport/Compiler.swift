// SPDX-License-Identifier: Apache-2.0

import Glibc

/// This machine's compilers and binary tools, for programs whose functions and lines a test knows.
public enum Compiler {
  /// Compiles `source` to the program `name` in a directory and returns its path.
  ///
  /// - Parameter arguments: come after those that name the files.
  public static func c(
    _ source: String, to name: String, in directory: TemporaryDirectory, _ arguments: [String] = ["-g", "-O1"]
  ) throws -> String {
    try directory.write(source, to: "\(name).c")
    try run("clang", ["\(name).c", "-o", name] + arguments, in: directory)
    return directory.appending(name)
  }

  /// C++ that needs no header of the standard library.
  public static func cxx(
    _ source: String, to name: String, in directory: TemporaryDirectory, _ arguments: [String] = ["-g", "-O1"]
  ) throws -> String {
    try directory.write(source, to: "\(name).cpp")
    try run("clang", ["\(name).cpp", "-o", name] + arguments, in: directory)
    return directory.appending(name)
  }

  public static func swift(
    _ source: String, to name: String, in directory: TemporaryDirectory, _ arguments: [String] = ["-g", "-O"]
  ) throws -> String {
    try directory.write(source, to: "\(name).swift")
    try run("swiftc", ["-parse-as-library", "\(name).swift", "-o", name] + arguments, in: directory)
    return directory.appending(name)
  }

  /// Moves the debug information of a program to `debug`. The program keeps what it needs to run.
  public static func strip(_ program: String, debugTo debug: String, in directory: TemporaryDirectory) throws {
    try run("objcopy", ["--only-keep-debug", program, debug], in: directory)
    try run("strip", [program], in: directory)
  }

  /// Runs a tool of PATH in a directory.
  ///
  /// - Throws: `ToolFailure` with the tool's output.
  @discardableResult
  public static func run(_ tool: String, _ arguments: [String], in directory: TemporaryDirectory) throws -> String {
    let process = try TestProcess.run("/usr/bin/env", [tool] + arguments, directory: directory.path)
    guard process.succeeded else { throw ToolFailure("\(tool): \(process.outcome) \(process.errorText)") }
    return process.text
  }

  /// The address and size of a function, from nm(1).
  public static func function(_ name: String, of program: String, in directory: TemporaryDirectory) throws -> (
    address: UInt64, size: UInt64
  ) {
    for line in try run("nm", ["--print-size", program], in: directory).split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count == 4, fields[3] == name, let address = UInt64(fields[0], radix: 16),
        let size = UInt64(fields[1], radix: 16)
      {
        return (address, size)
      }
    }
    throw ToolFailure("\(program) has no function \(name)")
  }
}
