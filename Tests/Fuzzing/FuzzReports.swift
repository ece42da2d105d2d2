// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import LaunchAnalysis
import LaunchTrace

/// SwiftPM makes this the program's `main`.
@_cdecl("fuzz_reports_main")
public func run(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  var (count, arguments) = (count, arguments)
  return runDriver(&count, &arguments, fuzzReports)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer calls this with every input that it generates. `scripts/fuzz` builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let trace = WholeWay.trace(bytes) else { return 0 }
  let violations = TraceInvariants.violations(trace)
  precondition(violations.isEmpty, violations.joined(separator: ", "))
  WholeWay.go(trace)
  WholeWay.compare(trace, previous ?? trace)
  previous = trace
  return 0
}

/// The preceding trace, which the next one is compared with.
nonisolated(unsafe) private var previous: Trace?

/// Half of the mutations are libFuzzer's own. The others know the structure of the formats.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int, _ seed: UInt32) -> Int {
  if seed & 1 == 0 { return mutateBytes(data, size, maximum) }
  var mutator = Mutator(random: SeededRandom(seed: UInt64(seed)))
  let bytes = mutator.mutate(Array(UnsafeBufferPointer(start: data, count: size))).prefix(maximum)
  for (place, byte) in bytes.enumerated() { data[place] = byte }
  return bytes.count
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int) -> Int
