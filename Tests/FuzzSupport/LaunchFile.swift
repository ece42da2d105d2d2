// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A short launch that contains everything that the analysis looks at, as the bytes of a file to corrupt.
public enum LaunchFile {
  private static let ms: Int64 = 1_000_000
  private static let (process, worker): (Int32, Int32) = (500, 501)

  public static var bytes: [UInt8] {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 10 * ms), (6, 60 * ms), (1, 1_700_000_000_000 * ms)])
    writer.processTrack(uuid: 1, processID: process, name: "app", start: 10 * ms)
    writer.threadTrack(uuid: 10, parent: 1, processID: process, threadID: process, name: "app")
    writer.threadTrack(uuid: 11, parent: 1, processID: process, threadID: worker, name: "worker")
    writer.asyncTrack(uuid: 20, parent: 1, name: "lane")
    writer.counterTrack(uuid: 30, parent: 1, name: "memory", unit: "bytes")
    writer.startSequence(1, track: 10, samplePeriod: ms)
    writer.startSequence(2, track: 11)
    writer.startSequence(4, track: 10, samplesSwitches: true)
    facts(&writer)
    points(&writer)
    spans(&writer)
    samples(&writer)
    scheduling(&writer)
    return writer.bytes
  }

  private static func facts(_ writer: inout PerfettoTraceWriter) {
    writer.instant(
      sequence: 1, time: 14 * ms, name: "recorder", category: "launchprof.recorder",
      annotations: [
        ("format", .uint(1)), ("library_version", .string("0.1.0")), ("process_start_ns", .uint(UInt64(10 * ms))),
        ("process_start_error_ns", .uint(6000)), ("process_start_source", .string("launcher")),
        ("preinit_ns", .uint(UInt64(14 * ms))), ("startup_cost_ns", .double(92_000)), ("event_cost_ns", .double(18.5)),
        ("events_dropped", .uint(2)), ("initializers_untimed", .uint(1)), ("debug_build", .bool(true)),
      ])
    writer.instant(
      sequence: 1, time: 14 * ms, name: "launcher", category: "launchprof.launcher",
      annotations: [
        ("format", .uint(1)), ("program", .string("/usr/bin/app")), ("arguments", .array([.string("--port")])),
        ("exec_ns", .uint(UInt64(10 * ms))), ("exit_ns", .uint(UInt64(60 * ms))), ("outcome", .string("exited")),
        ("exit_status", .uint(1)), ("pid", .uint(UInt64(process))), ("run", .uint(1)), ("runs", .uint(3)),
        ("user_cpu_ns", .uint(30_000_000)), ("system_cpu_ns", .uint(5_000_000)), ("max_rss_bytes", .uint(1 << 24)),
        ("minor_faults", .uint(412)), ("major_faults", .uint(2)), ("read_bytes", .uint(65_536)),
        ("observer", .string("perf")), ("stopped_ns", .uint(1000)), ("held_up_ns", .uint(1000)),
        ("lost_records", .uint(3)), ("observed_until_ns", .uint(UInt64(55 * ms))), ("sample_rate", .uint(1000)),
        ("cold_files", .uint(3)), ("cold_bytes", .uint(4096)), ("cpus", .uint(8)), ("host", .string("h")),
      ])
    writer.instant(
      sequence: 1, time: 15 * ms, name: "metadata", category: "launchprof.metadata",
      annotations: [("version", .string("2.1")), ("reason", .string("url")), ("kind", .string("first"))])
    writer.instant(
      sequence: 1, time: 15 * ms, name: "budget", category: "launchprof.budget",
      annotations: [("interval", .string("parse")), ("kind", .string("interval")), ("budget_ns", .uint(2_000_000))])
    writer.instant(
      sequence: 1, time: 33 * ms, name: "over", category: "launchprof.budget",
      annotations: [
        ("interval", .string("parse")), ("kind", .string("interval")), ("budget_ns", .uint(2_000_000)),
        ("start_ns", .uint(UInt64(21 * ms))), ("duration_ns", .uint(UInt64(12 * ms))),
      ])
    for (name, time) in [("main", 20), ("ready", 50), ("fully-drawn", 58)] as [(String, Int64)] {
      writer.instant(sequence: 1, time: time * ms, name: name, category: "launchprof.mark")
    }
  }

  private static func points(_ writer: inout PerfettoTraceWriter) {
    for (name, time) in [("exec", 10), ("loader-started", 11), ("relocated", 13), ("entry", 14), ("main", 20)]
      as [(String, Int64)]
    {
      writer.instant(
        sequence: 1, time: time * ms, name: name, category: "launchprof.point",
        annotations: [("path", .string("/usr/bin/app")), ("source", .string("breakpoint"))])
    }
    writer.instant(
      sequence: 1, time: 12 * ms, name: "map", category: "launchprof.library",
      annotations: [("path", .string("/lib/libx.so")), ("size", .uint(65_536))])
    writer.instant(
      sequence: 1, time: 36 * ms, name: "futex", category: "launchprof.wait",
      annotations: [("state", .string("S")), ("futex_owner_tid", .int(Int64(worker)))])
    writer.instant(
      sequence: 1, time: 41 * ms, name: "fault", category: "launchprof.fault", annotations: [("path", .string("/data"))]
    )
  }

  private static func spans(_ writer: inout PerfettoTraceWriter) {
    func slice(
      _ name: String, _ category: String, from start: Int64, to end: Int64, sequence: UInt32 = 1,
      _ annotations: [(key: String, value: AnnotationValue)] = []
    ) {
      writer.begin(
        sequence: sequence, time: start * ms, name: name, category: category, annotations: annotations)
      writer.end(
        sequence: sequence, time: end * ms, annotations: [("cpu_ns", .uint(400_000)), ("major_faults", .uint(3))])
    }
    slice("libx initializer 1", "launchprof.initializer", from: 15, to: 19, [("image", .string("/lib/libx.so"))])
    writer.begin(sequence: 1, time: 20 * ms, name: "did-finish-launching", category: "launchprof.phase")
    slice("parse", "app", from: 21, to: 33)
    slice("unpack", "launchprof.launch-task", from: 34, to: 42, [("message", .string("parse\nunpack"))])
    slice("fill", "launchprof.deferred", from: 43, to: 44)
    writer.end(sequence: 1, time: 45 * ms)
    slice("unpack", "launchprof.launch-task", from: 22, to: 40, sequence: 2)
    slice("warm-cache", "launchprof.phase", from: 41, to: 49, sequence: 2)
    writer.begin(sequence: 1, time: 30 * ms, track: 20, name: "load", category: "app")
    writer.end(sequence: 2, time: 47 * ms, track: 20)
    writer.begin(sequence: 1, time: 52 * ms, name: "open", category: "app")
    writer.counter(sequence: 1, time: 25 * ms, track: 30, value: Int64(4096))
  }

  private static func samples(_ writer: inout PerfettoTraceWriter) {
    for time in 15..<50 {
      var frames = [StackFrame(function: "main", image: "/usr/bin/app", address: 0x1000)]
      if time % 3 != 0 { frames.append(StackFrame(function: "parse()", image: "/usr/bin/app", address: 0x1100)) }
      if time % 5 == 0 { frames = [StackFrame(function: "swift_job_run"), StackFrame(function: "work")] }
      writer.sample(
        sequence: 1, time: Int64(time) * ms, processID: process, threadID: time % 5 == 0 ? worker : process,
        frames: time == 17 ? [] : frames)
    }
    let call = StackFrame(function: "clock_nanosleep", image: "/lib/libc.so.6", address: 0x2000)
    for (time, thread) in [(35, process), (40, process), (18, worker)] as [(Int64, Int32)] {
      writer.sample(
        sequence: 4, time: time * ms, processID: process, threadID: thread,
        frames: [StackFrame(function: "connect()", image: "/usr/bin/app", address: 0x1200), call])
    }
  }

  private static func scheduling(_ writer: inout PerfettoTraceWriter) {
    // ftrace's times are in BOOTTIME.
    func switched(_ time: Int64, _ previous: Int32, _ state: Int64, _ next: Int32) -> SchedulingSwitch {
      SchedulingSwitch(time: (time + 50) * ms, previous: previous, previousState: state, next: next)
    }
    let names = [process: "app", worker: "worker"]
    writer.switches(
      sequence: 3, processor: 0,
      [
        switched(10, 0, 0, process), switched(16, process, 0, worker), switched(18, worker, 1, process),
        switched(35, process, 1, 0), switched(38, 0, 0, process), switched(40, process, 2, 0),
        switched(42, 0, 0, process), switched(60, process, 16, 0),
      ], names: names)
    writer.switches(
      sequence: 3, processor: 1, [switched(22, 0, 0, worker), switched(39, worker, 1, 0), switched(59, worker, 16, 0)],
      names: names)
    writer.wakings(
      sequence: 3, processor: 1, [SchedulingWaking(time: 87 * ms, thread: process, waker: worker)], names: names)
  }
}
