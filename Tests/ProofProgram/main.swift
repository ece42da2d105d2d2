// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc
import LaunchProfiler

// The program that ProofTests records, kills, forks and starves.
//
//   proof-program write LEDGER ROUNDS THREADS REST   each thread works ROUNDS rounds (0: for ever), rests up to REST µs
//   proof-program stay LEDGER ROUNDS THREADS REST    the same, then sleeps until it is killed, a minute at most
//   proof-program fork LEDGER ROUNDS                 works, forks, works on in both. The child prints why it cannot start
//   proof-program exec LEDGER ROUNDS                 works, then becomes `write LEDGER ROUNDS 1 0`
//   proof-program close LEDGER ROUNDS                closes unknown descriptors, opens files of its own by those
//                                                    numbers (LEDGER.0, LEDGER.1, …), changes the directory, then works
//   proof-program limit LEDGER LIMIT                 records into LEDGER.pftrace, and prints how large that may become
//
// LEDGER is a shared file with a row of eight 64-bit words for each thread: kernel thread ID, rounds that are done.

let arguments = CommandLine.arguments
let numbers = arguments.dropFirst(3).compactMap { Int($0) }
guard arguments.count >= 4, numbers.count == arguments.count - 3 else {
  let usage =
    "usage: proof-program write|stay LEDGER ROUNDS THREADS REST | fork LEDGER ROUNDS | exec LEDGER ROUNDS | close …\n"
  _ = write(2, usage, usage.utf8.count)
  exit(64)
}
let rounds = numbers[0]
let rest = UInt32(numbers.count > 2 ? numbers[2] : 0)
let ledger = try Ledger(path: arguments[2])

switch arguments[1] {
case "write", "stay":
  let workers = (0..<(numbers.count > 1 ? numbers[1] : 1)).map { row in
    startThread { Worker(ledger: ledger, row: row, longestRest: rest).work(rounds: rounds) }
  }
  for worker in workers { pthread_join(worker, nil) }
  if arguments[1] == "stay" { sleep(60) }
case "fork":
  try LaunchProfiler.start()
  guard LaunchProfiler.isRecording, LaunchProfiler.tracePath != nil else { exit(2) }
  Worker(ledger: ledger, row: 0, longestRest: 0).work(rounds: rounds)
  let child = ct_fork()
  if child == 0 { expectNoRecording() }
  Worker(ledger: ledger, row: child == 0 ? 1 : 0, longestRest: 0).work(rounds: rounds)
  if child == 0 { exit(0) }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  exit(status == 0 ? 0 : 1)
case "exec":
  Worker(ledger: ledger, row: 0, longestRest: 0).work(rounds: rounds)
  let next = [arguments[0], "write", arguments[2], String(rounds), "1", "0"]
  var pointers = next.map { strdup($0) } + [nil]
  execv("/proc/self/exe", &pointers)
  exit(1)
case "close":
  for descriptor: Int32 in 3..<32 { close(descriptor) }
  for number in 0..<8 {
    let own = open("\(arguments[2]).\(number)", O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard own >= 3, ftruncate(own, 200_000) == 0 else { exit(1) }
  }
  guard chdir("/") == 0 else { exit(1) }
  Worker(ledger: ledger, row: 0, longestRest: 0).work(rounds: rounds)
case "limit":
  let path = arguments[2] + ".pftrace"
  try LaunchProfiler.start(into: .file(path), limit: rounds)
  var file = stat()
  guard stat(path, &file) == 0 else { exit(1) }
  print(file.st_size)
default:
  exit(64)
}

/// Ends the process, a forked child, if it seems to be recorded.
func expectNoRecording() {
  guard !LaunchProfiler.isRecording, LaunchProfiler.tracePath == nil else { exit(2) }
  do {
    try LaunchProfiler.start()
    exit(3)
  } catch {
    print(error)
  }
}

func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      argument.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  return thread
}
