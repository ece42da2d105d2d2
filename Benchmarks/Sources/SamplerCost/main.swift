// SPDX-License-Identifier: Apache-2.0

import CMeasure
import LaunchProfiler
import LaunchSampler

// `SamplerCost MODE WORK`: records into memory, samples itself as MODE says, and does WORK in one phase. It prints
// the CPU time of its main thread and of the process, the number of stacks, and what those took. Times are in ns.
let mode = CommandLine.arguments[1]
let work = UInt64(CommandLine.arguments[2]) ?? 0

/// A few frames deep, like real launches. The arithmetic is the same in every mode, so the difference is the sampler's.
@inline(never)
func descend(_ depth: Int, _ rounds: UInt64) -> UInt64 {
  if depth > 0 { return descend(depth - 1, rounds) &+ UInt64(depth) }
  var value = rounds
  for round in 0..<rounds { value = value &* 6_364_136_223_846_793_005 &+ round }
  return value
}

try LaunchProfiler.start(into: .memory, stopsWhenCompleted: false)
var options = LaunchSampler.Options()
switch mode {
case "off": break
case "idle": options.busyBudget = .seconds(1000)
case "frame-pointers": options.scope = .launch
case "complete":
  options.scope = .launch
  options.unwinding = .complete
case "running":
  options.scope = .launch
  options.interrupts = .runningCode
default: fatalError("modes: off, idle, complete, frame-pointers, running")
}
if mode != "off" { try LaunchSampler.start(options) }
let before = cm_thread_cpu()
cm_keep(descend(10, work))
let thread = cm_thread_cpu() - before
LaunchProfiler.mark(.ready)
LaunchSampler.stop()
let done = LaunchSampler.statistics
print(thread, cm_process_cpu(), done.samples, done.interruptions, done.work)
