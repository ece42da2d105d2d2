// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// What an interval costs in each state of the recorder. Each state runs in its own process.
enum RecorderSection {
  static func rows(_ options: Options) throws -> [Row] {
    var rows: [Row] = []
    for state in ["shm", "memory", "disk", "full", "off"] {
      let session = state == "shm" ? try LTTngSession.start() : nil
      defer { session?.end() }
      let output = "\(NSTemporaryDirectory())/launch-bench-\(getpid()).json"
      defer { unlink(output) }
      let directory = state == "disk" ? options.disk : "/dev/shm"
      try Program(
        path: "\(options.binaries)/RecorderCost",
        arguments: [state, "\(options.rounds)", "\(options.seed)", directory]
      ).run(output: output)
      rows += try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    }
    return rows
  }
}

/// A recording session of LTTng around a run. Its trace is on /dev/shm, with eight buffers of 1 MiB for each CPU.
/// Starts a daemon of its own unless one runs already.
struct LTTngSession {
  private let directory: String
  private var daemon: pid_t?
  private var name: String { "launch-bench-\(getpid())" }

  /// nil when LTTng's programs are not installed.
  static func start() throws(BenchError) -> LTTngSession? {
    guard Program.find("lttng") != nil, let daemon = Program.find("lttng-sessiond") else { return nil }
    var session = LTTngSession(directory: "/dev/shm/launch-bench-\(getpid())")
    mkdir(session.directory, 0o700)
    do throws(BenchError) {
      if (try? session.lttng("list")) == nil { session.daemon = try session.start(daemon) }
      try session.lttng("create", session.name, "--output=\(session.directory)/trace")
      let here = ["--userspace", "--session=\(session.name)"]
      try session.lttng(["enable-channel"] + here + ["--subbuf-size=1M", "--num-subbuf=8", "bench"])
      try session.lttng(["enable-event"] + here + ["--channel=bench", "launchbench:*"])
      try session.lttng("start", session.name)
    } catch {
      session.end()
      throw error
    }
    return session
  }

  func end() {
    try? lttng("destroy", name)
    if let daemon { kill(daemon, SIGTERM) }
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func start(_ daemon: String) throws(BenchError) -> pid_t {
    let file = "\(directory)/pid"
    try Program(path: daemon, arguments: ["--daemonize", "--pidfile", file]).run()
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    guard let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchError("lttng-sessiond did not say its process id")
    }
    return process
  }

  private func lttng(_ arguments: String...) throws(BenchError) { try lttng(arguments) }

  private func lttng(_ arguments: [String]) throws(BenchError) {
    try Program(path: Program.find("lttng") ?? "lttng", arguments: ["--no-sessiond"] + arguments).run()
  }
}
