import CTestSupport
import Glibc
import LaunchProfiler

// What ProofTests records, kills, forks and starves.
//
//   proof-program write LEDGER THREADS ROUNDS    each thread works ROUNDS rounds (0: for ever)
//   proof-program fork LEDGER ROUNDS             works, forks, works on in both
//   proof-program exec LEDGER ROUNDS             works, then becomes `write LEDGER 1 ROUNDS`
//
// LEDGER is a file, shared with whoever looks: a row of eight 64-bit words a thread: kernel thread id, rounds that are done.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let last = arguments.last.flatMap(Int.init) else {
  let usage = "usage: proof-program write LEDGER THREADS ROUNDS | fork LEDGER ROUNDS | exec LEDGER ROUNDS\n"
  _ = write(2, usage, usage.utf8.count)
  exit(64)
}
let ledger = try Ledger(path: arguments[2])

switch arguments[1] {
case "write":
  let workers = (0..<(Int(arguments[3]) ?? 1)).map { row in
    startThread { Worker(ledger: ledger, row: row).work(rounds: last) }
  }
  for worker in workers { pthread_join(worker, nil) }
case "fork":
  Worker(ledger: ledger, row: 0).work(rounds: last)
  let child = ct_fork()
  Worker(ledger: ledger, row: child == 0 ? 1 : 0).work(rounds: last)
  if child == 0 { exit(0) }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  exit(status == 0 ? 0 : 1)
case "exec":
  Worker(ledger: ledger, row: 0).work(rounds: last)
  let next = [arguments[0], "write", arguments[2], "1", String(last)]
  var pointers = next.map { strdup($0) } + [nil]
  execv("/proc/self/exe", &pointers)
  exit(1)
default:
  exit(64)
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
