// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `--ready http://…`: the launch is over when the server answers a GET.
struct AnswerTests {
  private let launchprof: Launchprof
  private let server: String
  private let port: Int

  init() throws {
    launchprof = try Launchprof()
    server = try BuiltProgram.foreign("web-server")
    port = try FreePort.find()
  }

  private func record(
    _ answers: [String], host: String = "127.0.0.1", listening address: String = "127.0.0.1", path: String = "/health"
  ) throws -> (report: JSONReport, lines: [String]) {
    let (run, trace) = try launchprof.record(
      [server, address, "\(port)"] + answers,
      options: ["--ready", "http://\(host):\(port)\(path)", "--settle", "100ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let report = try JSONReport(launchprof, trace)
    #expect(report.readyRule == "http" && !report.isReadyByDefault)
    return (report, run.text.split(separator: "\n").map(String.init))
  }

  /// The report's time lies between what the server did before its answer, and what it saw after it.
  private func check(_ report: JSONReport, _ lines: [String], requests: ClosedRange<Int>, path: String = "/health")
    throws
  {
    func time(_ word: String) throws -> Int {
      try #require(lines.first { $0.hasPrefix("\(word) ") }.flatMap { Int($0.dropFirst(word.count + 1)) }, "\(lines)")
    }
    #expect(report.end == "ready" && report.outcome == "ended")
    let start = try #require((report.launch["start"] as? [String: Any])?["clock"] as? Int)
    let ready = start + (try #require(report.time("ready")))
    #expect(try time("ready") <= ready && ready <= time("closed"), "\(lines) \(ready)")
    #expect(report.time("answered") == report.time("ready"))
    #expect(requests.contains(lines.count { $0 == "GET \(path) HTTP/1.1" }), "\(lines)")
  }

  /// It listens 50 ms after its begin, and gets no request before that, and one after it.
  @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0"]) func theFirstAnswer(host: String) throws {
    try checkFirstAnswer(host: host, listening: "127.0.0.1")
  }

  @Test(LoopbackSix.needed, arguments: [("127.0.0.1", "::"), ("[::1]", "::1"), ("localhost", "::1")])
  func theFirstAnswerOfIPv6(host: String, address: String) throws {
    try checkFirstAnswer(host: host, listening: address)
  }

  private func checkFirstAnswer(host: String, listening address: String) throws {
    let (report, lines) = try record(["200"], host: host, listening: address, path: "/health?full=1")
    try check(report, lines, requests: 1...1, path: "/health?full=1")
    #expect(try #require(report.time("ready")) >= 50_000_000)
  }

  @Test func anErrorIsNotReady() throws {
    let (report, lines) = try record(["503", "wait", "503", "404", "302", "200"])
    try check(report, lines, requests: 5...5)
    let error = try #require(report.milestone("ready")?["error"] as? Int)
    let ready = try #require(report.time("ready"))
    #expect(error > 0 && error < ready)
  }

  /// The answer is read to its end, so that the server can send it.
  @Test func anAnswerInPieces() throws {
    let (report, lines) = try record(["hints"])
    try check(report, lines, requests: 1...1)
    let (other, _) = try record(["204"])
    #expect(other.detail("ready") == "status 204")
    // This server closes first, and the kernel keeps its port.
    let (closing, _) = try record(["close"])
    #expect(closing.end == "ready" && closing.outcome == "ended")
  }

  /// The first question waits a second, and the others are asked then.
  @Test func whatIsNoAnswer() throws {
    let (report, lines) = try record(["hang", "drop", "junk", "200"])
    try check(report, lines, requests: 4...4)
  }

  /// A server may listen and then start what answers. Its first question lies in its queue meanwhile, and is answered then.
  @Test func aQuestionThatWaitsIsAnswered() throws {
    let waits = [String](repeating: "wait", count: 30)
    let (report, lines) = try record(waits + ["200"])
    try check(report, lines, requests: 1...2)
    // Later questions say nothing about how late the first answer is.
    #expect((report.milestone("ready")?["error"] as? Int ?? 0) < 1_000_000_000)
  }

  /// The launcher closes first. Otherwise the kernel would keep the server's port, and the second one could not listen.
  @Test func oneLaunchAfterAnother() throws {
    let run = try launchprof.run(
      [
        "record", "-n", "3", "-o", "t/", "--ready", "http://localhost:\(port)", "--", server, "127.0.0.1", "\(port)",
        "503", "200",
      ]
    )
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("3 launches") && !run.errorText.contains("failed"), "\(run.errorText)")
    #expect(run.text.split(separator: "\n").count { $0 == "GET / HTTP/1.1" } == 6)
  }

  /// An answer of a server that ran before the launch would end the launch too early.
  @Test func anotherServerIsNotAsked() throws {
    let other = try RunningProcess.start(server, ["127.0.0.1", "\(port)", "200"], directory: launchprof.directory.path)
    defer { other.signal(SIGKILL) }
    try waitUntil("it listens") { Self.listens(port) }
    let run = try launchprof.run(
      ["record", "-o", "t.pftrace", "--ready", "http://127.0.0.1:\(port)/", "--", "sh", "-c", "sleep 0.2"])
    #expect(run.outcome == .exited(0))
    #expect(
      run.errorText.contains("Another program has listened on port \(port) since before the launch"), "\(run.errorText)"
    )
    #expect(try JSONReport(launchprof, "t.pftrace").end == "exit")
  }

  private static func listens(_ port: Int) -> Bool {
    let table = (try? contents("/proc/net/tcp")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let place = ":" + String(port, radix: 16, uppercase: true)
    return table.split(separator: "\n").contains { $0.contains("\(place) ") && $0.contains(" 0A ") }
  }

  @Test func aServerThatEndsBeforeIsAFailedLaunch() throws {
    let run = try launchprof.run(
      ["record", "-o", "t.pftrace", "--ready", "http://127.0.0.1:\(port)/a?key=secret", "--"]
        + [server, "127.0.0.1", "\(port)", "503", "stop"])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("Last answer: status 503."), "\(run.errorText)")
    let report = try JSONReport(launchprof, "t.pftrace")
    let advice = report.finding("failed-launch")?["advice"] as? String ?? ""
    #expect(
      advice.contains("never answered a GET of http://127.0.0.1:\(port)/a with a status of 200 to 299"), "\(advice)")
    let trace = String(decoding: try contents(launchprof.directory.appending("t.pftrace")), as: UTF8.self)
    #expect(!trace.contains("key=secret"))
  }

  @Test func theGateKeepsTheURL() throws {
    let url = "http://127.0.0.1:\(port)/health?full=1"
    let command = ["--", server, "127.0.0.1", "\(port)", "200"]
    let made = try launchprof.run(["gate", "init", "-q", "--runs", "3", "--ready", url] + command)
    #expect(made.outcome == .exited(0), "\(made.errorText)")
    let file = String(decoding: try contents(launchprof.directory.appending("launch-budgets.yml")), as: UTF8.self)
    #expect(file.contains("ready: \"\(url)\""))
    let run = try launchprof.run(["gate", "-q", "--runs", "2", "--traces", "traces"] + command)
    let names = try TestProcess.run("/bin/ls", [launchprof.directory.appending("traces")]).text.split(separator: "\n")
    let report = try JSONReport(launchprof, "traces/\(try #require(names.first, "\(run.errorText)"))")
    #expect(report.readyRule == "http" && report.end == "ready")
  }

  @Test(arguments: [
    ("https://127.0.0.1/", "asks without TLS"), ("http://", "is not a URL"), ("http://127.0.0.1:0/", "is not a URL"),
    ("HTTP://127.0.0.1", "is not a URL"), ("http://host:port/", "is not a URL"),
    ("http://no-such-host.invalid/", "cannot ask no-such-host.invalid"),
  ])
  func aWrongURLIsAnErrorBeforeTheProgramRuns(url: String, message: String) throws {
    let run = try launchprof.run(["record", "--ready", url, "--", "sh", "-c", ": > ran"])
    #expect(run.outcome != .exited(0))
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(try launchprof.directory.contents() == [])
  }

  /// Ends its command when that asks this name server, which never answers. Fails unless the signal ends the command.
  private static let silentNameServer = """
    import signal, socket, subprocess, sys
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    command = subprocess.Popen(sys.argv[1:])
    server.recv(512)
    command.send_signal(signal.SIGTERM)
    sys.exit(command.wait() != -signal.SIGTERM)
    """

  private static let ownNetwork = "ip link set lo up && mount --bind resolv.conf \"$(realpath /etc/resolv.conf)\""

  @Test(Namespaces.needed(["--net", "--mount"], "ip link set lo up && test -e /etc/resolv.conf"))
  func aSignalEndsTheLookUpOfAName() throws {
    try launchprof.directory.write("nameserver 127.0.0.1\n", to: "resolv.conf")
    try launchprof.directory.write(Self.silentNameServer, to: "ask.py")
    let run = try TestProcess.run(
      "/usr/bin/unshare",
      ["--net", "--mount", "sh", "-c", "\(Self.ownNetwork) && exec \"$@\"", "sh", "python3", "ask.py", Launchprof.path]
        + ["record", "-q", "--ready", "http://foo.example.org/", "--", "sh", "-c", ": > ran"],
      directory: launchprof.directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try launchprof.directory.contents() == ["ask.py", "resolv.conf"])
  }
}
