// SPDX-License-Identifier: Apache-2.0

// Records rounds of launches as a CSV file (Benchmarks/Data/gate):
//
//   swiftc -O -o record-rounds RecordRounds.swift
//   record-rounds FILE SECONDS in-place|copies PROGRAM NAME=ARGUMENTS …
//
// A round launches each variant once, in random order. With `copies`, each variant has its own copy of the program, at a
// path of the same length, and new copies every hundred rounds. Times are µs. `core` is the wall time without the time
// in which the main thread waited for a processor.
import Glibc

struct Launch {
  var wall: Int
  var cpu: Int
  var core: Int

  init?(_ program: String, _ arguments: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let start = Self.now()
    guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else { return nil }
    // Keeps the process until its waiting time is read.
    var information = siginfo_t()
    guard waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0 else { return nil }
    wall = (Self.now() - start) / 1000
    let waited = Self.waited(child)
    var (status, usage) = (Int32(), rusage())
    guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
    cpu = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
    core = wall - waited
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// How long the main thread was runnable and did not run, µs.
  private static func waited(_ child: pid_t) -> Int {
    guard let file = fopen("/proc/\(child)/schedstat", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let fields = text.split(whereSeparator: \.isWhitespace)
    return fields.count > 1 ? (Int(fields[1]) ?? 0) / 1000 : 0
  }
}

func copy(_ program: String, to path: String) -> Bool {
  guard let source = fopen(program, "r"), let target = fopen(path, "w") else { return false }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&bytes, 1, bytes.count, source), count > 0 { fwrite(bytes, 1, count, target) }
  fclose(source)
  return fclose(target) == 0 && chmod(path, 0o755) == 0
}

func fail(_ message: String) -> Never {
  print("record-rounds:", message)
  exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count > 5, let seconds = Int(arguments[2]), let output = fopen(arguments[1], "w") else {
  fail("FILE SECONDS in-place|copies PROGRAM NAME=ARGUMENTS …")
}
let (isCopied, program) = (arguments[3] == "copies", arguments[4])
let variants = arguments[5...].map { argument in
  let words = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  return (name: String(words[0]), arguments: words.dropFirst().first?.split(separator: " ").map(String.init) ?? [])
}
var paths = variants.map { _ in program }

fputs(
  variants.flatMap { v in ["wall", "cpu", "core"].map { "\(v.name) \($0)" } }.joined(separator: ",") + "\n", output)
let end = time(nil) + seconds
var round = 0
while time(nil) < end {
  if isCopied, round % 100 == 0 {
    for place in variants.indices {
      unlink(paths[place] == program ? "" : paths[place])
      paths[place] = "copy-\(round / 100 + 100)-\(place)"
      guard copy(program, to: paths[place]) else { fail("cannot copy \(program)") }
      // The first launch of a copy is a warm-up.
      _ = Launch("./" + paths[place], variants[place].arguments)
    }
  }
  var launches: [Int: Launch] = [:]
  for place in variants.indices.shuffled() {
    launches[place] = Launch(isCopied ? "./" + paths[place] : program, variants[place].arguments)
  }
  round += 1
  // A round with a failed launch does not count.
  guard launches.count == variants.count else { continue }
  let row = variants.indices.compactMap { launches[$0] }.flatMap { [$0.wall, $0.cpu, $0.core] }
  fputs(row.map(String.init).joined(separator: ",") + "\n", output)
  fflush(output)
}
for path in paths where path != program { unlink(path) }
