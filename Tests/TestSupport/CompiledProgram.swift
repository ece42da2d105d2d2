// SPDX-License-Identifier: Apache-2.0

/// Programs and libraries that a test builds with the machine's C compiler.
public enum CompiledProgram {
  /// Compiles `source` into the file `name` of a directory and returns its path.
  @discardableResult
  public static func c(
    _ source: String, _ name: String, _ flags: [String] = [], compiler: String = "gcc", in directory: TemporaryDirectory
  ) throws -> String {
    let file = try directory.write(source, to: name + ".c")
    let path = directory.appending(name)
    let run = try TestProcess.run(
      "/usr/bin/\(compiler)", ["-O1", "-g0", file, "-o", path] + flags, directory: directory.path)
    guard run.succeeded else { throw ToolFailure("\(compiler) \(flags): \(run.errorText)") }
    return path
  }
}
