import Foundation
import Measuring

/// What an interval costs, in every state of the recorder: a process each.
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

/// A recording session of LTTng around a run: a daemon of our own, its trace on /dev/shm, eight buffers of 1 MiB a CPU.
struct LTTngSession {
  private let directory: String
  private let daemon: pid_t

  /// nil when LTTng's programs are not installed.
  static func start() throws(BenchError) -> LTTngSession? {
    guard Program.find("lttng") != nil, let daemon = Program.find("lttng-sessiond") else { return nil }
    let directory = "/dev/shm/launch-bench-\(getpid())"
    mkdir(directory, 0o700)
    let pidFile = "\(directory)/pid"
    try Program(path: daemon, arguments: ["--daemonize", "--pidfile", pidFile]).run()
    guard let text = try? String(contentsOfFile: pidFile, encoding: .utf8),
      let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw BenchError("lttng-sessiond runs already, or did not say its process id") }
    let session = LTTngSession(directory: directory, daemon: process)
    do throws(BenchError) {
      try lttng("create", "launch-bench", "--output=\(directory)/trace")
      try lttng(
        "enable-channel", "--userspace", "--session=launch-bench", "--subbuf-size=1M", "--num-subbuf=8", "bench")
      try lttng("enable-event", "--userspace", "--session=launch-bench", "--channel=bench", "launchbench:*")
      try lttng("start", "launch-bench")
    } catch {
      session.end()
      throw error
    }
    return session
  }

  func end() {
    try? Self.lttng("destroy", "launch-bench")
    kill(daemon, SIGTERM)
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static func lttng(_ arguments: String...) throws(BenchError) {
    try Program(path: Program.find("lttng") ?? "lttng", arguments: ["--no-sessiond"] + arguments).run()
  }
}
