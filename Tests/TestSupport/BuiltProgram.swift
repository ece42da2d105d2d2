// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Programs that are built before the tests run.
public enum BuiltProgram {
  /// A product or executable target of this package, built with the tests.
  public static func product(_ name: String) throws -> String {
    try require(PackageRoot.productsDirectory + "/" + name, by: "swift build --traits Command")
  }

  /// The command to test: the one in LAUNCHPROF_COMMAND (scripts/test sets the release build), otherwise the one that
  /// was built with the tests.
  public static let command =
    getenv("LAUNCHPROF_COMMAND").map { String(cString: $0) } ?? PackageRoot.productsDirectory + "/launchprof"

  /// The program of Examples/CommandLineTool.
  public static func notes() throws -> String {
    try require(PackageRoot.appending("Examples/.build/release/notes"), by: "scripts/build-examples")
  }

  /// The program of Examples/HTTPServer.
  public static func server() throws -> String {
    try require(PackageRoot.appending("Examples/.build/release/server"), by: "scripts/build-examples")
  }

  /// The program of Examples/ServiceServer.
  public static func serviceServer() throws -> String {
    try require(
      PackageRoot.appending("Examples/.build/release/service-server"), by: "scripts/build-examples")
  }

  /// The program of Examples/GTKApp.
  public static func pages() throws -> String {
    try require(PackageRoot.appending("Examples/.build/release/pages"), by: "scripts/build-examples")
  }

  /// A program of Tests/LinkModes; `mode` is `dynamic`, `static-stdlib` or `static`.
  public static func linkMode(_ mode: String, _ name: String) throws -> String {
    try require(
      PackageRoot.appending("Tests/LinkModes/.build/\(mode)/release/\(name)"), by: "scripts/build-link-modes")
  }

  /// `dynamic` or `static`: Tests/CrossRecorder for the other architecture; `run`: the script that emulates it.
  /// `musl-dynamic` or `musl-static`: for this architecture, with musl.
  public static func crossRecorder(_ name: String) throws -> String {
    try require(PackageRoot.appending(".build/cross/\(name)"), by: "scripts/build-cross-recorder")
  }

  /// A program of Tests/ForeignPrograms, without a recorder.
  public static func foreign(_ name: String) throws -> String {
    try require(PackageRoot.appending(".build/foreign/\(name)"), by: "scripts/build-foreign-programs")
  }

  /// The agent of `record --detail loader`.
  public static func agent() throws -> String {
    try require(PackageRoot.appending(".build/agent/launchprof-agent.so"), by: "scripts/build-agent")
  }

  private static func require(_ path: String, by command: String) throws -> String {
    guard access(path, X_OK) == 0 else { throw ToolFailure("\(path) is missing: run \(command) (scripts/test does)") }
    return path
  }
}
