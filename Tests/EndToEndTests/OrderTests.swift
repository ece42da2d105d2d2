// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

#if arch(x86_64)
/// `launchprof order`: the functions that a launch touches.
final class OrderTests: CommandSuite {
  /// Functions are called from `main`, a thread, a child, and a child that executes another program. It traps once itself.
  private static let source = """
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/wait.h>
    #include <unistd.h>
    #define FUNCTION(name) __attribute__((noinline)) void name(void) { __asm__ volatile(""); }
    FUNCTION(alpha) FUNCTION(beta) FUNCTION(gamma_) FUNCTION(delta) FUNCTION(epsilon) FUNCTION(never)
    static volatile int traps;
    static void on_trap(int signal) { traps++; }
    static void *thread(void *context) { for (int i = 0; i < 1000; i++) gamma_(); return context; }
    int main(int count, char **words) {
      delta();
      alpha();
      alpha();
      signal(SIGTRAP, on_trap);
      __asm__ volatile("int3");
      pthread_t threads[4];
      for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, thread, 0);
      for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
      if (fork() == 0) { beta(); delta(); _exit(0); }
      wait(0);
      if (system("exit 3") != 3 << 8) return 9;
      epsilon();
      if (count > 5) never();
      printf("%d traps %s\\n", traps, getenv("SAYS") ? words[0] : "");
      return 7;
    }
    """

  /// The program is launched two or three times.
  @Test func eachLaunchHasTheSameInput() throws {
    let source = """
      #include <stdio.h>
      int main(void) { int lines = 0, c; while ((c = getchar()) != EOF) lines += c == '\\n'; printf("%d\\n", lines); return lines; }
      """
    try CompiledProgram.c(source, "lines", in: launchprof.directory)
    try launchprof.directory.write("a\nb\nc\n", to: "input")
    let script = "(read first; \"$0\" order --format lld -- ./lines) < input"
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.succeeded && run.text.contains("main\n") && run.errorText == "", "\(run.errorText)")
    let piped = try launchprof.run(["order", "--format", "lld", "--", "./lines"], input: Array("a\nb\n".utf8))
    #expect(piped.succeeded && piped.text.contains("main\n"), "\(piped.errorText)")
    #expect(piped.errorText.contains("standard input is empty"), "\(piped.errorText)")
  }

  /// The daemon of the first launch kept its lock, so the second one ended differently.
  @Test(arguments: ["for (;;) pause()", #"execlp("sleep", "sleep", "60", (char *)0)"#])
  func whatALaunchLeavesBehindIsEndedBeforeTheNext(stays: String) throws {
    let source = """
      #include <fcntl.h>
      #include <sys/file.h>
      #include <unistd.h>
      int main(void) {
        if (flock(open("lock", O_CREAT | O_RDWR, 0600), LOCK_EX | LOCK_NB) != 0) return 3;
        if (fork() == 0) { setsid(); \(stays); }
        return 0;
      }
      """
    try CompiledProgram.c(source, "daemon", in: launchprof.directory)
    let run = try launchprof.run(["order", "--timeout", "1", "--format", "lld", "--", "./daemon"])
    #expect(run.succeeded && run.text.contains("main\n"), "\(run.errorText)")
  }

  /// Each launch took the whole time limit.
  @Test func aDaemonIsNotWaitedFor() throws {
    let source = """
      #include <unistd.h>
      int main(void) {
        if (fork() != 0) return 0;
        setsid();
        for (int file = 0; file < 3; file++) close(file);
        for (;;) pause();
      }
      """
    try CompiledProgram.c(source, "daemon", in: launchprof.directory)
    let run = try launchprof.run(["order", "--timeout", "20", "--format", "lld", "--", "./daemon"])
    #expect(run.succeeded && run.text.contains("main\n"), "\(run.errorText)")
    #expect(!run.errorText.inOneLine.contains("ran out of time"), "\(run.errorText)")
    #expect(run.errorText.inOneLine.contains("left a process running"), "\(run.errorText)")
  }

  /// A child that writes belongs to the launch, also after its parent has ended.
  @Test func whatStillWritesIsWaitedFor() throws {
    let source = """
      #include <unistd.h>
      __attribute__((noinline)) void late(void) { write(1, "late\\n", 5); }
      int main(void) {
        if (fork() != 0) return 0;
        usleep(300000);
        late();
      }
      """
    try CompiledProgram.c(source, "worker", in: launchprof.directory)
    let run = try launchprof.run(["order", "--format", "lld", "--", "./worker"])
    #expect(run.succeeded && run.text.contains("late\n"), "\(run.errorText)")
    #expect(!run.errorText.contains("running"), "\(run.errorText)")
  }

  /// More than a pipe holds, the same in each launch but for the end. All of it was kept in memory.
  @Test(arguments: [false, true]) func allOutputIsCompared(isSame: Bool) throws {
    let source = """
      #include <stdio.h>
      #include <unistd.h>
      int main(void) {
        for (int line = 0; line < 200000; line++) printf("line %d\\n", line);
        printf("%d\\n", \(isSame ? 0 : 1) * getpid());
        return 0;
      }
      """
    try CompiledProgram.c(source, "writer", in: launchprof.directory)
    let run = try launchprof.run(["order", "--format", "lld", "--", "./writer"])
    #expect(run.succeeded && run.text.contains("main\n"), "\(run.errorText)")
    let isTold = run.errorText.inOneLine.contains("output differs from launch to launch")
    #expect(isTold == !isSame, "\(run.errorText)")
  }

  private func compile(_ flags: [String]) throws {
    try CompiledProgram.c(Self.source, "app", ["-pthread"] + flags, in: launchprof.directory)
  }

  @Test(arguments: [["-pie"], ["-no-pie"], ["-static"]]) func functionsAreListedInTheOrderOfTheirFirstTouch(
    flags: [String]
  ) throws {
    try compile(flags)
    let run = try launchprof.run(["order", "--format", "lld", "--", "./app"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let names = run.text.split(separator: "\n").map(String.init)
    let own = names.filter {
      ["main", "alpha", "beta", "gamma_", "delta", "epsilon", "never", "thread", "on_trap"].contains($0)
    }
    #expect(own == ["main", "delta", "alpha", "on_trap", "thread", "gamma_", "beta", "epsilon"], "\(names)")
    #expect(Set(names).count == names.count)
  }

  @Test func otherLinkersAndPeopleGetTheirOwnForm() throws {
    try compile([])
    let gold = try launchprof.run(["order", "--format", "gold", "-n", "2", "-o", "order.txt", "--", "./app"])
    #expect(gold.outcome == .exited(0) && gold.text.isEmpty, "\(gold.errorText)")
    let file = try TestProcess.run("/bin/cat", [launchprof.directory.appending("order.txt")])
    #expect(file.text.contains(".text.alpha\n.text.on_trap\n"))
    let list = try launchprof.run(["order", "--", "./app"])
    #expect(list.text.contains(" functions, on 1 page; ") && list.text.contains("  epsilon\n"), "\(list.text)")
  }

  @Test func whatCannotBeLookedAtIsSaid() throws {
    try compile(["-s"])
    let stripped = try launchprof.run(["order", "--", "./app"])
    #expect(stripped.outcome == .exited(1) && stripped.errorText.contains("has no symbols"), "\(stripped.errorText)")
    let absent = try launchprof.run(["order", "--", "./absent"])
    #expect(absent.outcome == .exited(1), "\(absent.errorText)")
    let same = try launchprof.run(["order", "-o", "app", "--", "./app"])
    #expect(same.outcome == .exited(1) && same.errorText.contains("is one of the programs"), "\(same.errorText)")
  }

  /// Both launches end at the time limit, and so in the same way.
  @Test func aListThatIsNotCompleteSaysSo() throws {
    let source = """
      #include <unistd.h>
      __attribute__((noinline)) void late(void) { __asm__ volatile(""); }
      int main(void) { pause(); late(); }
      """
    try CompiledProgram.c(source, "slow", in: launchprof.directory)
    let run = try launchprof.run(["order", "--format", "lld", "--timeout", "1", "--", "./slow"])
    #expect(run.outcome == .exited(0) && run.text.contains("main\n") && !run.text.contains("late"), "\(run.text)")
    #expect(run.errorText.contains("ran out of time (--timeout 1): functions"), "\(run.errorText)")
  }

  /// Built, ordered, checked and launched cold; the folder of the program is left alone.
  @Test func anOrderIsAppliedAndProved() throws {
    let directory = launchprof.directory
    let functions = (0..<60).map {
      "@inline(never) public func f\($0)(_ x: Int) -> Int { x &* \($0 + 3) &+ values.count }\n"
    }
    // Called in another order than the compiler meets them.
    let table = (0..<60).map { "f\($0)" }.joined(separator: ", ")
    let body = """
      let table: [(Int) -> Int] = [\(table)]
      var sum = 1
      for i in 0..<60 { sum &+= table[(i &* 37) % 60](sum) }
      print(sum)

      """
    try directory.write("let values = CommandLine.arguments\n\(functions.joined())\(body)", to: "main.swift")
    let apply = ["order", "--apply", "swiftc -O -o app main.swift", "--rounds", "2"]
    let run = try launchprof.run(apply + ["--", "./app"], timeout: 300)
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(
      run.text.hasPrefix("The linker put ") && run.text.contains(" instead of ") && !run.text.contains(" 1 pages"),
      "\(run.text)")
    let numbers = run.text.prefix { $0 != "\n" }.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 5 && numbers[0] > numbers[2], "fewer are in order without the list: \(run.text)")
    #expect(Self.isCompared(run.text), "\(run.text)")
    #expect(run.text.contains("(how sure that is, is not known with 2 rounds)"), "\(run.text)")
    #expect(try directory.contents() == ["launch-order.txt", "main.swift"])
    let unclear = try launchprof.run(["order", "--apply", "make", "--", "./app"])
    #expect(unclear.outcome == .exited(64) && unclear.errorText.contains("single call"), "\(unclear.errorText)")
  }

  /// TMPDIR may be in memory.
  private static func isCompared(_ text: String) -> Bool {
    text.contains("Cold launches: ") ? text.contains("Readahead: ") : text.contains("Warm launches: ")
  }

  /// They were called cold.
  @Test(Namespaces.needed(["-m"], "mount -t tmpfs none /mnt")) func buildsInMemoryAreNotLaunchedCold() throws {
    try launchprof.directory.write("print(CommandLine.arguments.count)\n", to: "main.swift")
    mkdir(launchprof.directory.appending("memory"), 0o755)
    let script = "mount -t tmpfs none memory && TMPDIR=$PWD/memory exec \"$@\""
    let run = try TestProcess.run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c", script, "sh", Launchprof.path, "order", "--apply", "swiftc -O -o app main.swift",
        "--rounds", "2", "--", "./app",
      ], directory: launchprof.directory.path, timeout: 300)
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("Warm launches: ") && !run.text.contains("Readahead"), "\(run.text)")
    #expect(run.errorText.inOneLine.contains("no launch of them can be cold. Set TMPDIR"), "\(run.errorText)")
  }

  /// The same with `swift build`: each function of the package is where the list has it.
  @Test func anOrderIsAppliedToAPackage() throws {
    let directory = launchprof.directory
    let package = "let package = Package(name: \"app\", targets: [.executableTarget(name: \"app\", path: \".\")])"
    try directory.write("// swift-tools-version: 6.0\nimport PackageDescription\n\(package)\n", to: "Package.swift")
    let functions = (0..<20).map { "@inline(never) func f\($0)(_ x: Int) -> Int { x &* \($0 + 3) &+ values.count }\n" }
    let table = (0..<20).map { "f\($0)" }.joined(separator: ", ")
    let body = "let table = [\(table)]\nprint((0..<20).reduce(1) { table[($1 * 7) % 20]($0) })\n"
    try directory.write("let values = CommandLine.arguments\n\(functions.joined())\(body)", to: "main.swift")
    let build = "swift build -c release --static-swift-stdlib"
    let apply = ["order", "--apply", build, "--rounds", "2", "--", ".build/release/app"]
    let run = try launchprof.run(apply, timeout: 300)
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(Self.isCompared(run.text), "\(run.text)")
    #expect(try directory.contents() == ["Package.swift", "launch-order.txt", "main.swift"])
    // Built once more by the commands of docs/faster.md.
    let options =
      "-Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --no-warn-symbol-ordering"
    let again = try TestProcess.run(
      "/bin/sh", ["-c", "\(build) \(options) -Xlinker --symbol-ordering-file=launch-order.txt"],
      directory: directory.path, timeout: 300)
    #expect(again.outcome == .exited(0), "\(again.text)\(again.errorText)")
    let symbols = try TestProcess.run("/usr/bin/nm", ["-n", directory.appending(".build/release/app")])
    let places = symbols.text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    let list = try TestProcess.run("/bin/cat", [directory.appending("launch-order.txt")]).text
      .split(separator: "\n").map(String.init).filter { $0.hasPrefix("$s3app") && $0.hasSuffix("yS2iF") }
    #expect(list.count == 20 && places.filter(Set(list).contains) == list, "\(list)")
  }

  /// A symbol for a function that stands on data: a breakpoint there is another value.
  @Test func aProgramThatBehavesOtherwiseGivesNoList() throws {
    let source = """
      #include <stdio.h>
      extern const unsigned char data[16];
      __asm__(".pushsection .text\\n.type data, @function\\ndata: .fill 16, 1, 5\\n.size data, 16\\n.popsection\\n");
      int main(void) { printf("%d\\n", data[0]); return 0; }
      """
    try CompiledProgram.c(source, "app", in: launchprof.directory)
    let run = try launchprof.run(["order", "--", "./app", "word"])
    #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
    #expect(run.errorText.inOneLine.contains("./app: the program behaves differently"), "\(run.errorText)")
  }
}
#endif
