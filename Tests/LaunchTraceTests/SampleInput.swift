// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// A small, sound input of each kind that can be read.
struct SampleInput: Sendable, CustomTestStringConvertible {
  let name: String
  let format: TraceFormat
  let bytes: [UInt8]
  var testDescription: String { name }

  static let all: [SampleInput] =
    [
      SampleInput(name: "perfetto", format: .perfetto, bytes: SampleTrace.writer().bytes),
      SampleInput(name: "perfetto, Android", format: .perfetto, bytes: AndroidTrace.sample().bytes),
      SampleInput(name: "perfetto, legacy events", format: .perfetto, bytes: LegacyTrace.sample().bytes),
      SampleInput(name: "chrome-json", format: .chromeJSON, bytes: Array(json.utf8)),
      SampleInput(name: "chrome-json, samples", format: .chromeJSON, bytes: Array(jsonSamples.utf8)),
      SampleInput(name: "chrome-json, V8", format: .chromeJSON, bytes: Array(v8.utf8)),
      SampleInput(name: "chrome-json, a profile of Node", format: .chromeJSON, bytes: Array(wholeProfile.utf8)),
      SampleInput(name: "perf-script", format: .perfScript, bytes: Array(perf.utf8)),
      SampleInput(name: "folded", format: .folded, bytes: Array("main;a;b 3\nmain;a 2\nmain;c 1.5\n".utf8)),
      SampleInput(name: "instruments", format: .instruments, bytes: Array(instruments.utf8)),
      SampleInput(name: "xctrace", format: .instruments, bytes: Array(xctrace.utf8)),
    ] + ProfileInput.all

  static let json = #"""
    {"displayTimeUnit": "ms", "traceEvents": [
      {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "app \"x\" \u00e9\ud83c\udfc1"}},
      {"ph": "M", "name": "thread_name", "pid": 7, "tid": 8, "args": {"name": "main"}},
      {"ph": "X", "name": "outer", "cat": "a,b", "pid": 7, "tid": 8, "ts": 10.5, "dur": 20.125,
        "args": {"s": "t\n", "n": -5, "d": 1.5e3, "o": {"k": [1, true, null, {"x": {}}]}}},
      {"ph": "B", "name": "inner", "pid": 7, "tid": 8, "ts": 12}, {"ph": "E", "pid": 7, "tid": 8, "ts": "13.25"},
      {"ph": "i", "name": "point", "pid": 7, "tid": 8, "ts": 14, "s": "t"},
      {"ph": "i", "name": "everywhere", "pid": 7, "ts": 14, "s": "g"},
      {"ph": "C", "name": "memory", "pid": 7, "ts": 15, "args": {"heap": 1.5, "stack": "2"}},
      {"ph": "b", "name": "load", "cat": "net", "id": "0x1", "pid": 7, "tid": 8, "ts": 16},
      {"ph": "n", "name": "step", "cat": "net", "id": "0x1", "pid": 7, "tid": 8, "ts": 17},
      {"ph": "e", "name": "load", "cat": "net", "id": "0x1", "pid": 7, "tid": 9, "ts": 18},
      {"ph": "b", "name": "local", "cat": "net", "id2": {"local": 5}, "pid": 7, "tid": 8, "ts": 19},
      {"ph": "s", "id": 1, "pid": 7, "tid": 8, "ts": 19}
    ], "metadata": {"a": [[[]]]}}
    """#

  /// The frames come last, and the ids of two of them are no numbers.
  static let jsonSamples = #"""
    {"samples": [
      {"cpu": 0, "tid": 8, "ts": 10, "name": "cycles:HG", "sf": 3, "weight": 2},
      {"cpu": 1, "tid": 8, "ts": "11.5", "name": "cycles:HG", "sf": "leaf"},
      {"cpu": 0, "tid": 0, "ts": 12, "name": "cycles:HG", "weight": 5},
      {"cpu": 0, "tid": 9, "pid": 7, "ts": 13, "sf": "x", "weight": 1}
    ], "traceEvents": [
      {"ph": "X", "name": "outer", "pid": 7, "tid": 8, "ts": 10.5, "dur": 20}
    ], "stackFrames": {
      "leaf": {"category": "/lib/libc.so.6", "name": "read\u00e9", "parent": "3"},
      "3": {"category": "/bin/app", "name": "main", "parent": 1, "file": "main.c", "line": 5},
      "1": {"name": "", "category": ""}
    }}
    """#

  /// As Chrome writes it: the sampler's thread writes the chunks, the first one before the profiled thread writes the
  /// beginning.
  static let v8 = #"""
    [{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"codeType":"other","functionName":"(root)","scriptId":0},"id":1},
       {"callFrame":{"codeType":"other","functionName":"(program)","scriptId":0},"id":2,"parent":1},
       {"callFrame":{"codeType":"other","functionName":"(idle)","scriptId":0},"id":3,"parent":1},
       {"callFrame":{"codeType":"JS","columnNumber":9,"functionName":"","lineNumber":0,"scriptId":4,"url":"http://a/b.js"},
        "id":4,"parent":1}],"samples":[2,4,3]},"lines":[0,3,0],"timeDeltas":[100,1200,-300]}},
      "cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":4000},
     {"args":{"data":{"startTime":1000}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"Profile","ph":"P",
      "pid":7,"tid":8,"ts":1001},
     {"args":{"data":{"cpuProfile":{"nodes":[
       {"callFrame":{"functionName":"parse","lineNumber":6,"scriptId":4,"url":"http://a/b.js"},"id":5,"parent":4}],
       "samples":[5,5]},"timeDeltas":[800,200]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":5000},
     {"args":{"data":{"endTime":5000}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":5001}]
    """#

  /// As Chrome's developer tools save it.
  static let wholeProfile = """
    {"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":1,"ts":0,"cat":"__metadata","args":{"name":"Thread 1"}},
     {"name":"CpuProfile","ph":"X","pid":1,"tid":1,"ts":5000,"dur":0,"args":{"data":{"cpuProfile":\(ProfileInput.cpuProfile)}}}]}
    """

  static let perf = """
    # ========
    # captured on: today
    # ========
    #
    my app 1  100/101 [003] 12.000001:    1000 cpu-clock:u:
    \t  55d0 inner(int, char)+0x10 (/bin/app)
    \t  55e0 [unknown] (/bin/app)
    \tffff8 start_thread+0x1 (/lib/libc.so.6 (deleted))

    swapper     0 12.000002: cycles:  ffffffff81 native_halt+0x1 ([kernel.kallsyms])

    """

  static let instruments = """
    Weight\tSelf Weight\t\tSymbol Names
    3.00 ms  100.0%\t0 s\t\tmain
    2.00 ms  66.6%\t1.00 ms\t\t delta()
    1.00 ms  33.3%\t1.00 ms\t\t  alpha()
    1.00 ms  33.3%\t1.00 ms\t\t gamma()

    """

  static let xctrace = """
    <?xml version="1.0"?>
    <trace-query-result><node xpath='//trace-toc[1]/run[1]/data[1]/table[6]'><schema name="time-profile"><col>
    <mnemonic>time</mnemonic></col></schema>
    <row><sample-time id="1" fmt="00:00.101">101000000</sample-time><thread id="2" fmt="Main Thread 0x1f (app, pid: 77)">
    <tid id="3" fmt="0x1f">31</tid><process id="4" fmt="app (77)"><pid id="5" fmt="77">77</pid></process></thread>
    <core id="6" fmt="CPU 2">2</core><weight id="7" fmt="1.00 ms">1000000</weight><backtrace id="8">
    <frame id="9" name="f(Array&lt;Int&gt;)" addr="0x1000"><binary id="10" name="app" path="/Applications/app"/></frame>
    <frame id="11" name="0x1800ab" addr="0x1800ab"><binary ref="10"/></frame></backtrace></row>
    <row><sample-time id="12" fmt="00:00.102">102000000</sample-time><thread ref="2"/><core ref="6"/><weight ref="7"/>
    <backtrace ref="8"/></row>
    <row><sample-time id="13" fmt="00:00.103">103000000</sample-time><thread ref="2"/><weight ref="7"/>
    <backtrace id="14"><frame id="15" name="main" addr="0x1"/><frame ref="11"/></backtrace></row>
    </node></trace-query-result>
    """
}
