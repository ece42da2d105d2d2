// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchObserver

struct ReadyTests {
  @Test func rulesAreReadAsTheyAreWritten() throws {
    #expect(try ReadyRule("stdout") == .output)
    #expect(try ReadyRule("listen") == .listening(nil))
    #expect(try ReadyRule("listen:8080") == .listening(.port(8080)))
    #expect(try ReadyRule("listen:/run/x") == .listening(.path("/run/x")))
    #expect(try ReadyRule("listen:@x") == .listening(.path("@x")))
    #expect(try ReadyRule("Listening on .*") == .match("Listening on .*"))
    #expect(try ReadyRule("http: ready") == .match("http: ready"))
    let wrong = [
      "", "listen:", "listen:0", "listen:65536", "listen:x", "(", "a{2,1}", "http://", "http://x:y/", "https://x/",
    ]
    for text in wrong {
      #expect(throws: ReadyRule.Mistake.self) { try ReadyRule(text) }
    }
  }

  /// A URL's query may contain a secret, so the trace does not get it.
  @Test func aURLIsAskedAndNotMatched() throws {
    let rule = try ReadyRule("http://[::1]:8080/health?key=1")
    guard case .answer(let address) = rule else {
      Issue.record("\(rule)")
      return
    }
    #expect(address.host == "::1" && address.port == 8080 && address.target == "/health?key=1")
    #expect(rule.argument == "http://[::1]:8080/health" && rule.followsBackground)
    #expect(try ReadyRule(rule.text) == rule)
  }

  private func signal(_ kind: ReadySignal.Kind, _ time: Int64) -> ReadySignal { ReadySignal(kind: kind, time: time) }

  @Test func theDefaultTakesTheFirstRuleThatApplies() {
    let all = [signal(.output, 1), signal(.listening, 2), signal(.window, 3)]
    func rule(_ signals: [ReadySignal], endedWell: Bool = true) -> ReadyRule {
      ReadyOutcome(following: .automatic, signals: signals, endedWell: endedWell).rule
    }
    #expect(rule(all) == .window)
    #expect(rule(Array(all.prefix(2))) == .listening(nil))
    #expect(rule(Array(all.prefix(1))) == .output)
    #expect(rule(Array(all.prefix(1)), endedWell: false) == .exit)
    #expect(rule([]) == .exit)
    #expect(ReadyOutcome(following: .automatic, signals: all, endedWell: true).ready == all[2])
  }

  /// The end of the program then ends the launch, so the report must say why.
  @Test func anOutputThatCannotBeWatchedIsTold() {
    var outcome = ReadyOutcome(following: .automatic, signals: [], endedWell: true)
    outcome.note(nil)
    #expect(outcome.shortcoming.isEmpty)
    outcome.note(.refused(errno: EACCES))
    #expect(outcome.shortcoming.hasPrefix("the standard output cannot be watched (Permission denied)"))
    outcome.note(.device)
    #expect(outcome.shortcoming.hasPrefix("the standard output cannot be watched (it is a device, such as /dev/null)"))
    // It listened, so its output would not have counted.
    var listening = ReadyOutcome(following: .automatic, signals: [signal(.listening, 1)], endedWell: true)
    listening.note(.refused(errno: EACCES))
    #expect(listening.shortcoming.isEmpty)
    var asked = ReadyOutcome(following: .exit, signals: [], endedWell: true)
    asked.note(.refused(errno: EACCES))
    #expect(asked.shortcoming.isEmpty)
  }

  /// A child closes the descriptor, and nothing else of this process stays open in it. It is no process of a launch.
  @Test func closingAsideClosesAndKeepsNothingElse() throws {
    let descendants = Descendants()
    var (source, end, otherSource, otherEnd): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    #expect(lo_pipe(&otherSource, &otherEnd) == 0)
    defer { close(otherSource) }
    // More often than it keeps children.
    for _ in 0..<50 {
      #expect(lo_pipe(&source, &end) == 0)
      lo_close_aside(end)
      var byte: UInt8 = 0
      // The end of the pipe is seen when nobody has its other end.
      #expect(read(source, &byte, 1) == 0)
      close(source)
    }
    close(otherEnd)
    var byte: UInt8 = 0
    #expect(read(otherSource, &byte, 1) == 0)
    // The last ones are not reaped.
    let children = Descendants.processes().map(\.id).filter { lo_closes_aside($0) }
    #expect(!children.isEmpty && descendants.ids.isDisjoint(with: children))
    #expect(!lo_closes_aside(0) && !lo_closes_aside(getpid()))
  }

  /// On a busy machine, the output was seen after the program's end, by up to 270 ms, and the launch seemed to last until then.
  @Test func outputIsNoLaterThanTheEnd() {
    func ready(_ kind: ReadySignal.Kind, late: Int64) -> ReadySignal? {
      let signal = ReadySignal(kind: kind, time: 1_000_000, error: late)
      return ReadyOutcome(following: .automatic, signals: [signal], endedWell: true, lifetime: 0...600_000).ready
    }
    #expect(ready(.output, late: 500_000) == ReadySignal(kind: .output, time: 600_000, error: 100_000))
    #expect(ready(.output, late: 400_000) == ReadySignal(kind: .output, time: 600_000))
    // The program can have left another process, which wrote.
    #expect(ready(.output, late: 399_999)?.time == 1_000_000)
    // A socket is seen while the program runs.
    #expect(ready(.listening, late: 500_000)?.time == 1_000_000)
    let matched = ReadyOutcome(
      following: .match("a"), signals: [ReadySignal(kind: .match, time: 100, error: 50)], endedWell: true,
      lifetime: 0...60)
    #expect(matched.ready == ReadySignal(kind: .match, time: 60))
    // A hundredth of the launch is not worth mentioning.
    let long = ReadySignal(kind: .output, time: 300_000_000, error: 2_000_000)
    #expect(long.rounded(since: 0).error == 0 && long.rounded(since: 200_000_000).error == 2_000_000)
  }

  /// A script was ready before it executed another program, at which the launcher stopped it. It seemed to be ready before
  /// the launch began.
  @Test func whatWasSeenBeforeAStopMovesWithTheStart() {
    let signals = [signal(.listening, 90), signal(.output, 10)]
    var outcome = ReadyOutcome(following: .output, signals: signals, endedWell: true)
    outcome.move { $0 < 50 ? $0 + 20 : $0 }
    #expect(outcome.signals.map(\.time) == [30, 90])
    #expect(outcome.ready?.time == 30)
  }

  /// The kernel's record of the end says more than the time at which the launcher was told of it.
  @Test func outputIsNoLaterThanTheLastThread() {
    let signals = [signal(.listening, 90), ReadySignal(kind: .output, time: 1_000, error: 200)]
    var outcome = ReadyOutcome(following: .output, signals: signals, endedWell: true, lifetime: 0...2_000)
    outcome.limitOutput(to: 60)
    #expect(outcome.ready == ReadySignal(kind: .output, time: 60))
    #expect(outcome.signals.map(\.time) == [60, 90])
  }

  /// A program that looks for a free port meets `listen` when it does that.
  @Test func theAdvisedRuleIsNotMetByAClosedSocket() {
    var signal = ReadySignal(kind: .listening, time: 1, detail: "port 80")
    #expect(signal.rule == "listen")
    signal.followsClosedSocket = true
    #expect(signal.rule == "listen:80")
    signal.detail = "a unix socket"
    #expect(signal.rule == "listen")
    #expect(ReadySignal(kind: .window, time: 1).rule == "window")
  }

  @Test func aNamedRuleTakesNoOther() {
    let outcome = ReadyOutcome(following: .listening(nil), signals: [signal(.output, 1)], endedWell: true)
    #expect(outcome.ready == nil && !outcome.isDefault && outcome.rule == .listening(nil))
  }

  @Test func linesOfProcAreRead() {
    let tcp = """
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
      """
    let listener = Listener.fromTCP(tcp[...])
    #expect(listener?.port == 8080 && listener?.inode == 4711)
    #expect(listener?.address == [127, 0, 0, 1])
    let six = tcp.replacing("0100007F:", with: "00000000000000000000000001000000:")
    #expect(Listener.fromTCP(six[...])?.address == [UInt8](repeating: 0, count: 15) + [1])
    #expect(Listener.fromTCP(tcp.replacing(" 0A ", with: " 01 ")[...]) == nil)
    #expect(Listener.fromTCP("") == nil)
    let unix = "0000000000000000: 00000002 00000000 00010000 0001 01 4712 /run/a b"
    #expect(Listener.fromUnix(unix[...])?.path == "/run/a b")
    #expect(Listener.fromUnix(unix[...])?.inode == 4712)
    #expect(Listener.fromUnix(unix.replacing("00010000", with: "00000000")[...]) == nil)
    #expect(ProcessTree.socket("socket:[12]") == 12)
    #expect(ProcessTree.socket("/dev/null") == nil)
  }

  /// Both ways of asking see the same socket.
  @Test func listenersAreSeenThroughProcToo() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    #expect(listen(descriptor, 1) == 0)
    var facts = stat()
    fstat(descriptor, &facts)
    for all in [Listener.fromProc(), ListenerReader().listeners()] {
      let found = all.first { $0.inode == facts.st_ino && $0.port > 0 }
      #expect(found?.address == [0, 0, 0, 0])
    }
    let inode = UInt64(facts.st_ino)
    let owners = ProcessTree(root: getpid(), descendants: nil).sockets(among: [inode])
    // A process that another test starts has it, too, until it executes its program.
    #expect(owners.keys.sorted() == [inode] && owners[inode]?.contains(getpid()) == true, "\(owners)")
  }

  /// They are asked first, because the program may end while all processes of a busy machine are read.
  @Test func aProcessAndItsChildrenAreKnownWithoutTheOthers() throws {
    let directory = try TemporaryDirectory()
    let script = "sleep 100 & echo $! > child; wait"
    let parent = try RunningProcess.start("/bin/sh", ["-c", script], directory: directory.path)
    var text = ""
    for _ in 0..<1000 where !text.hasSuffix("\n") {
      text = String(decoding: (try? contents(directory.appending("child"))) ?? [], as: UTF8.self)
      usleep(20_000)
    }
    let child = try #require(Int32(text.dropLast()))
    #expect(ProcessTree(near: parent.processID).members == [parent.processID, child])
    #expect(ProcessTree(near: getpid()).members.isSuperset(of: [getpid(), parent.processID]))
    #expect(!ProcessTree(near: getpid()).members.contains(child))
    kill(child, SIGKILL)
  }

  /// A server may bind a relative path, or a path through a link.
  @Test func theFileOfASocketDecides() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("", to: "app.sock")
    let other = try directory.write("", to: "other.sock")
    try #require(symlink(directory.path, directory.appending("link")) == 0)
    let server = try RunningProcess.start("/bin/cat", directory: directory.path)
    for name in ["app.sock", "./app.sock", "link/app.sock", directory.appending("link/app.sock"), path] {
      let listener = Listener(inode: 1, port: 0, path: name)
      #expect(listener.isBound(to: path, by: server.processID), "\(name)")
      #expect(!listener.isBound(to: other, by: server.processID), "\(name)")
    }
    #expect(!Listener(inode: 1, port: 0, path: "").isBound(to: directory.path, by: server.processID))
  }

  /// A daemon that root starts says that it is ready after it has become another user.
  @Test func anotherUserMayNotify() throws {
    let watch = try NotifyWatch(environment: LaunchEnvironment())
    let directory = try TemporaryDirectory()
    let source = """
      #include <string.h>
      #include <sys/socket.h>
      #include <sys/un.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 2;
        int end = socket(AF_UNIX, SOCK_DGRAM, 0);
        return sendto(end, "READY=1", 7, 0, (struct sockaddr *)&address, sizeof address) == 7 ? 0 : 3;
      }
      """
    let daemon = try CompiledProgram.c(source, "daemon", in: directory)
    #expect(try TestProcess.run(daemon, [watch.path]).outcome == .exited(0))
    #expect(watch.look()?.kind == .notification)
  }

  private func look(_ search: OutputSearch, _ text: String, _ channel: Int = 0) -> String? {
    Array(text.utf8).withUnsafeBytes { search.look(at: $0, channel: channel) }
  }

  @Test func aPatternIsFoundAcrossPieces() {
    let search = OutputSearch(pattern: "ready: [0-9]+$")
    func look(_ text: String, _ channel: Int = 0) -> String? { self.look(search, text, channel) }
    #expect(look("not ready\nrea") == nil)
    #expect(look("ready: 1x\n", 1) == nil)
    #expect(look("dy:") == nil)
    #expect(look(" 12") == "ready: 12")
    #expect(look("\nready: 1") == nil)
  }

  /// Servers colour what they write to a terminal.
  @Test(arguments: [
    "\u{1b}[32mVITE\u{1b}[39m ready in \u{1b}[1m300\u{1b}[22m ms\r\n",
    "ready in \u{1b}]8;;http://host\u{7}300\u{1b}]8;;\u{1b}\\ ms",
    "\u{1b}(B\u{1b}]never ended\nready in 300 ms", "re\u{1b}[38;2;255;100;0mady in 300 ms\u{1b}[0m\n",
  ])
  func aPatternIsMatchedWithTheTextThatAPersonSees(output: String) {
    for cut in 1...output.utf8.count {
      let search = OutputSearch(pattern: #"ready in \d+ ms$"#)
      let first = look(search, String(decoding: output.utf8.prefix(cut), as: UTF8.self))
      let line = first ?? look(search, String(decoding: output.utf8.dropFirst(cut), as: UTF8.self))
      #expect(line?.hasSuffix("ready in 300 ms") == true, "cut at \(cut)")
    }
    let other = OutputSearch(pattern: "started")
    _ = look(other, output)
    #expect(other.evidence?.lines.last?.hasSuffix("ready in 300 ms") == true)
  }

  /// A terminal shows only what follows the last carriage return.
  @Test func aPatternIsMatchedWithWhatOverwritesALine() {
    let search = OutputSearch(pattern: "^Ready$")
    #expect(look(search, "progress 1%\rprogress 2%\rRea") == nil)
    #expect(look(search, "dy\r\n") == "Ready")
    #expect(look(OutputSearch(pattern: #"1%\sprogress 2%"#), "progress 1%\rprogress 2%\n") != nil)
  }

  @Test func anEndlessLineIsLookedAtInPieces() {
    let search = OutputSearch(pattern: "here")
    for _ in 0..<1000 { #expect(look(search, String(repeating: "x", count: 1000)) == nil) }
    #expect(look(search, "\nhere\n") == "here")
    // A word that two pieces share.
    let other = OutputSearch(pattern: "here")
    for _ in 0..<1000 { #expect(look(other, String(repeating: "x", count: 5000) + "he") == nil) }
    #expect(look(other, "re") != nil)
  }

  /// However a text is cut in pieces, what matches a line of it is found.
  @Test(arguments: ["b+c", "^ab", "c$", "(ab|bc)c", "a.c", "x|abc", "^$", "b{2}", "a?c", #"\w\w\w"#, "(?i)ABC"])
  func cutsChangeNothing(pattern: String) throws {
    var generator = SeededGenerator(seed: 12)
    let regex = try Regex(pattern)
    for _ in 0..<200 {
      let text = String((0..<24).map { _ in "abcc\n".randomElement(using: &generator) ?? "a" })
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let search = OutputSearch(pattern: pattern)
      var (rest, isFound) = (text[...], false)
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...9, using: &generator))
        rest = rest.dropFirst(piece.count)
        if look(search, String(piece)) != nil { isFound = true }
      }
      // An open line is matched as far as it is there: `$` stands at its end for now.
      if lines.dropLast().contains(where: { $0.contains(regex) }) { #expect(isFound, "\(pattern) in \(text)") }
      if isFound, !pattern.contains("$") { #expect(lines.contains { $0.contains(regex) }, "\(pattern) in \(text)") }
    }
  }

  @Test func whatCameInsteadIsKept() {
    let search = OutputSearch(pattern: "ready")
    #expect(search.evidence?.lines == [])
    for number in 1...5 { #expect(look(search, "line \(number)\n") == nil) }
    #expect(look(search, "error\nope", 1) == nil)
    #expect(search.evidence?.lines == ["line 3", "line 4", "line 5", "error", "ope"])
    #expect(look(search, String(repeating: "x", count: 5000), 1) == nil)
    #expect(search.evidence?.lines.last == String(repeating: "x", count: 1024))
    #expect(OutputSearch(pattern: nil).evidence == nil)
  }

  @Test(arguments: [
    ("ready", ["ready"]), ("ready at [0-9]+", ["ready at "]), (#"port \d+|listening"#, ["port ", "listening"]),
    ("(?:http|https)://host", ["://host"]), ("(one|two) x?", ["one", "two"]), ("ab+cd?", ["ab"]), (#"a\.b"#, ["a.b"]),
    ("[a-z]+: done", [": done"]), ("x{2,3}yz", ["yz"]), ("(a(bc|de))+", ["bc", "de"]), ("^Started$", ["Started"]),
  ])
  func whatAPatternNeedsIsKnown(pattern: String, words: [String]) {
    #expect(RequiredText(pattern)?.words == words.map { Array($0.utf8) })
  }

  @Test(arguments: [
    "", ".*", "a*", "(a|)", "a|b?", "(?i)ready", "x(?=y)", #"\p{L}x"#, "[[a]--[b]]x", "é", #"\x41b"#, "a{0,2}",
    "(?<n>abc)",
  ])
  func otherPatternsNeedNothingForCertain(pattern: String) {
    #expect(RequiredText(pattern) == nil)
  }
}
