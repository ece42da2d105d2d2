// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Sockets that another program opened: systemd's protocol, from a launcher of a few lines.
final class ActivatedSocketTests: CommandSuite {
  /// Opens a listening socket as descriptor 3 and a file as 4, writes the port into `port`, and becomes the program.
  /// It replaces `{pid}` in a variable by its process ID.
  private static let launcher = """
    import os, socket, sys
    os.close(3) if os.path.exists('/proc/self/fd/3') else None
    listening = socket.socket()
    listening.bind(('127.0.0.1', 0))
    listening.listen()
    with open('port', 'w') as file: file.write(str(listening.getsockname()[1]))
    handed = os.dup(listening.fileno())
    file = os.open('/dev/null', os.O_RDONLY)
    os.dup2(handed, 13); os.dup2(file, 14)
    for descriptor in range(3, 13):
        try: os.close(descriptor)
        except OSError: pass
    os.dup2(13, 3); os.dup2(14, 4); os.close(13); os.close(14)
    split = sys.argv.index('--')
    environment = dict(os.environ)
    for pair in sys.argv[1:split]:
        name, value = pair.split('=', 1)
        environment[name] = value.replace('{pid}', str(os.getpid()))
    os.execve(sys.argv[split + 1], sys.argv[split + 1:], environment)
    """

  private func start(_ variables: [String], _ command: [String]) throws -> RunningProcess {
    try launchprof.directory.write(Self.launcher, to: "activate.py")
    return try RunningProcess.start(
      "/usr/bin/env", ["python3", "activate.py"] + variables + ["--"] + command,
      adding: ["CI": "", "GITHUB_ACTIONS": "", "INVOCATION_ID": ""], directory: launchprof.directory.path)
  }

  /// sd_watchdog_enabled(3): a service tells the watchdog that it lives only if the variable names it.
  @Test func theWatchdogIsForTheProgram() throws {
    let script = "export WATCHDOG_PID=$$; exec \"$@\""
    let run = try TestProcess.run(
      "/bin/sh",
      ["-c", script, "sh", Launchprof.path, "record", "-q", "-o", "t.pftrace", "--", "sh", "-c"]
        + ["echo $$; echo $WATCHDOG_PID"], directory: launchprof.directory.path)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == lines.last, "\(run.text)")
  }

  /// The sockets that a server under the host finds. It ends by itself at SIGTERM.
  private func sockets(_ variables: [String]) throws -> [String] {
    let running = try start(variables, [Launchprof.lifecycle, "server"])
    // Its standard output is a pipe that it writes at its end, so wait until it handles SIGTERM.
    try waitUntil("the host handles SIGTERM") { catches(SIGTERM, running.processID) }
    running.signal(SIGTERM)
    let end = try running.finish()
    #expect(end.outcome == .exited(0), "\(variables): \(end.errorText)")
    return end.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("socket:") }
  }

  @Test func theySayWhichTheyAre() throws {
    #expect(try sockets(["LISTEN_PID={pid}", "LISTEN_FDS=1", "LISTEN_FDNAMES=web"]) == ["socket: 3 web"])
    #expect(try sockets(["LISTEN_PID={pid}", "LISTEN_FDS=1"]) == ["socket: 3 "])
  }

  @Test(arguments: [
    (["LISTEN_PID=1", "LISTEN_FDS=1"], []),
    (["LISTEN_PID=", "LISTEN_FDS=1"], []),
    (["LISTEN_PID={pid}", "LISTEN_FDS=-1"], []),
    (["LISTEN_PID={pid}", "LISTEN_FDS=0"], []),
    (["LISTEN_PID={pid}", "LISTEN_FDS=one"], []),
    (["LISTEN_PID={pid}", "LISTEN_FDS=99999999999999999999"], []),
    // More than there are: the list ends at the first descriptor that is not open. The second one is not a socket.
    (["LISTEN_PID={pid}", "LISTEN_FDS=1048576", "LISTEN_FDNAMES=a"], ["socket: 3 a"]),
    (["LISTEN_PID={pid}", "LISTEN_FDS=2", "LISTEN_FDNAMES=a:b:c:d"], ["socket: 3 a"]),
    (["LISTEN_PID={pid}", "LISTEN_FDS=1", "LISTEN_FDNAMES=::::"], ["socket: 3 "]),
  ])
  func hostileValuesAreNone(variables: [String], expected: [String]) throws {
    #expect(try sockets(variables) == expected)
  }

  /// The launcher passes the sockets on: the program serves on the socket that it was given.
  @Test func aRecordedServerGetsItsSockets() throws {
    let trace = launchprof.directory.appending("server.pftrace")
    let running = try start(
      ["LISTEN_PID={pid}", "LISTEN_FDS=1", "LISTEN_FDNAMES=web\u{1b}[31m:x"],
      [Launchprof.path, "record", "-q", "-o", trace, "--", BuiltProgram.serviceServer(), "0"])
    let port = try port()
    // The connection waits in the socket until the server accepts it.
    #expect(try read(port: port) == "hello\n")
    running.signal(SIGTERM)
    let end = try running.finish()
    #expect(end.outcome == .exited(0), "\(end.errorText)")
    #expect(end.text.contains("listening on 127.0.0.1:\(port)"), "\(end.text)")
    let report = try JSONReport(launchprof, trace)
    #expect(report.label("reason") == "socketActivation")
    #expect(report.label("context") == "backgroundLaunch")
    #expect(report.otherLabels["reason.detail"] == "web\u{1b}[31m x")
    for format in ["text", "markdown", "csv"] {
      let text = try launchprof.run(["report", trace, "--format", format, "--rows", "phases"]).text
      #expect(!text.contains("\u{1b}"), "\(format)")
    }
  }

  /// Such a socket listens before the launch, so it does not show that the server is ready.
  @Test(arguments: ["listen", "http"]) func aSocketThatListenedBefore(rule: String) throws {
    try launchprof.directory.write(
      """
      import socket, sys
      server = socket.socket(fileno=3)
      while sys.argv[1] == 'http':
          connection, _ = server.accept()
          connection.recv(4096)
          connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n')
      """, to: "server.py")
    let script = #"exec "$0" record -o t.pftrace --ready "$1" --settle 0 -- python3 server.py "$2""#
    let port = "$(cat port)"
    let url = rule == "http" ? "http://127.0.0.1:\(port)/" : rule
    let running = try start([], ["/bin/sh", "-c", script.replacing("$1", with: url), Launchprof.path, "", rule])
    let end = try running.finish()
    #expect(end.outcome == .exited(0), "\(end.errorText)")
    let report = try JSONReport(launchprof, "t.pftrace")
    #expect(report.end == (rule == "http" ? "ready" : "exit"))
    #expect(
      end.errorText.contains("It inherited a socket that listened before the launch") == (rule == "listen"),
      "\(end.errorText)")
  }

  private func port() throws -> UInt16 {
    for _ in 0..<9_000 {
      let text = (try? contents(launchprof.directory.appending("port"))).map { String(decoding: $0, as: UTF8.self) }
      if let port = text.flatMap({ UInt16($0) }) { return port }
      usleep(20_000)
    }
    throw ToolFailure("the launcher of the test opened no port")
  }

  private func read(port: UInt16) throws -> String {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard isConnected == 0 else { throw ToolFailure("no connection: \(String(cString: strerror(errno)))") }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(client, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
