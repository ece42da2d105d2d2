// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// How the format of a file is detected, and the message for a file that cannot be read.
@Suite struct FormatDetectionTests {
  private func message(_ bytes: [UInt8]) -> String? {
    do {
      let trace = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
      return "read as \(trace.format.rawValue)"
    } catch {
      return (error as? TraceError).flatMap { $0.code == .unknownFormat ? $0.message : "\($0.code)" }
    }
  }

  private func message(_ text: String) -> String? { message(Array(text.utf8)) }

  @Test(arguments: [
    ("strace", "execve(\"/bin/true\", [\"true\"], 0x7ffd) = 0\nbrk(NULL)   = 94321234\nclose(3) = 0\n"),
    (
      "strace",
      "9510       0.000000 execve(\"./work\", [\"./work\"], 0x7ffc7defdfc0) = 0\n9510   0.0002 brk(NULL)   = 4\n"
    ),
    ("strace", "[pid 43] 19:52:33.05 read(0, \"a;b\", 8) = 3 <0.1>\n[pid 44] 19:52:33.06 wait4(1 <unfinished ...>\n"),
    ("ltrace", "9582 1795808392.5 self(0, 0x7f <unfinished ...>\n9583 1795808392.6 <... self resumed> )  = 0x7f\n"),
    ("perf trace", "     0.043 ( 0.012 ms): work/27662 brk()    = 0x5638edea2000\n"),
    ("summary of strace", "% time     seconds  usecs/call     calls    errors syscall\n 99.9  0.1  8  3   read\n"),
    ("perf script without threads", "\n\t            1030 _init\n\t            11e7 burn\n\n\t   1030 _init\n"),
    ("perf script without threads", "app \n\t            1030 _init\n\t            11e7 burn\n\n"),
    (
      "text of gprof",
      "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self\n 99.0  0.4  0.4 burn\n"
    ),
    ("-r speedscope", "{\"start_time\": 1.5,\"sample_count\": 653,\"root_frame\": {\"function\": \"f\"}}"),
    ("the Swift compiler", "{\n\t\"AST.NumSourceBuffers\": 3,\n\t\"AST.NumDecls\": 3\n}\n"),
    ("the Swift compiler", "Time,Live,IsEntry,EventName,CounterName,CounterDelta\n24007,0,\"entry\",\"a\",\"b\",1\n"),
    ("LD_DEBUG", "     12345:\tfind library=libc.so.6 [0]; searching\n     12345:\t search cache=/etc/ld.so.cache 1\n"),
    ("SQL", "CREATE TABLE t (a);\nINSERT INTO t VALUES (1);\nSELECT 5\n"),
    ("text of pprof", "Showing nodes\n      flat  flat%   sum%        cum   cum%\n  10ms 100% main 3\n"),
    ("ftrace", "# tracer: nop\n#\n  bash-1234  [001] ....  12.345678: sched_switch: prev_comm=bash\n"),
    ("dyld", "Total pre-main time:  94.33 milliseconds (100.0%)\n  dylib loading time:  61.87 milliseconds (65.5%)\n"),
    ("bpftrace", "Attaching 1 probe...\n\n@[\n    vfs_read+1\n    ksys_read+103\n]: 12\n@[\n    open+5\n]: 3\n"),
    (
      "DTrace",
      "CPU     ID                    FUNCTION:NAME\n\n              libc.so.1`__read+0x7\n              app`main+0x21\n                5\n\n"
    ),
    (
      "heap profile", "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0,\"id\":1,\"children\":[]}}"
    ),
    (
      "old V8",
      "{\"typeId\":\"CPU\",\"head\":{\"functionName\":\"(root)\",\"url\":\"\",\"callUID\":100,\"children\":[]}}"
    ),
    ("perf script -i FILE", "{\"linux-perf-json-version\": 1, \"samples\": []}"),
    ("hyperfine", "{\n  \"results\": [\n    {\n      \"command\": \"a\",\n      \"stddev\": 0.02\n    }\n  ]\n}\n"),
    (
      "perf script -i FILE",
      "# To display the perf.data header info, please use --header\n#\n    37.09%  a  a  [.] spin\n"
    ),
    ("uftrace dump", "# DURATION     TID     FUNCTION\n   0.731 us [  8008] | main();\n"),
    (
      "uftrace dump",
      "  Total time   Self time       Calls  Function\n  ==========  ===\n  248.256 ms   52.562 ms  3  spin\n"
    ),
    ("ms_print", "desc: --massif-out-file=x\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n"),
    ("heaptrack_print", "v 10400 3\nX ./a\nI 1000 5e298f\ns c /bin/a\n"),
    ("difffolded.pl", "main;a 10 20\nmain;b 5 0\nidle 0 7\n"),
    ("report of launchprof", "{\n  \"schemaVersion\": 1,\n  \"unit\": \"ns\",\n  \"launches\": []\n}\n"),
    ("report of launchprof", "launch,name,category,thread,main_thread,start_ns,message\r\n"),
    ("report of launchprof", "by,name,unit,total,self\r\nphase,main,ns,5,5\r\n"),
    ("report of launchprof", "group,phase,path,launches,median_ns,mad_ns\r\n,main,main,5,7,1\r\n"),
    ("report of launchprof", "<!DOCTYPE html>\n<meta name=\"generator\" content=\"launchprof\">\n"),
    ("report of launchprof", "app\n5.00 ms to exit\n\n  More: launchprof report --full, --findings\n"),
    ("launchprof fleet reads it", "{\"record\":1,\"id\":\"6d\"}\n{\"record\":1,\"id\":\"6e\"}\n"),
    ("launch records", "{\n  \"schemaVersion\": 1,\n  \"title\": \"2 launches\",\n  \"sentences\": []\n}\n"),
    ("SVG", "<?xml version=\"1.0\"?>\n<svg width=\"1200\"></svg>\n"),
  ]) func whatIsNotReadIsNamed(name: String, text: String) {
    #expect(message(text)?.contains(name) == true, "\(message(text) ?? "nothing")")
    #expect(message(text)?.hasPrefix("looks like") == true)
  }

  @Test(
    arguments: [
      ("zip", [0x50, 0x4b, 3, 4, 20, 0]), ("UTF-16", [0xff, 0xfe, 0x61, 0, 0x20, 0, 0x31, 0]),
      ("perf script", Array("PERFILE2".utf8) + [0, 0]),
      ("jfrconv", Array("FLR\0\0\u{2}".utf8)), ("runtime/pprof", Array("go 1.22 trace\0\0\0".utf8)),
      ("trace-cmd", [0x17, 8, 0x44] + Array("tracing6".utf8)), ("gprof", Array("gmon".utf8) + [1, 0, 0, 0]),
      ("pprof -proto", [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x27]),
      ("py-spy", [0xfb, 0x29, 3, 0xfa, 1, 0x7e]),
      ("Sysprof", [0x5e, 0x97, 0xca, 0xfd, 1, 1, 0, 0]),
      ("launchprof record", [0x7f, 0x45, 0x4c, 0x46, 2]),
    ] as [(String, [UInt8])]) func binaryFilesAreNamed(name: String, bytes: [UInt8])
  {
    #expect(message(bytes)?.contains(name) == true, "\(message(bytes) ?? "nothing")")
  }

  @Test(arguments: [
    "processed item 5\nprocessed item 6\n", "apples 3\noranges 5\n", "1;2;3\n4;5;6\n", "a;b 1\nno\nno\nno\n",
    "[Unit]\nDescription=A unit of systemd\n", "\" A script of Vim\n\u{1} 1\n",
    "Chapter 12 begins:\nIt was a dark night 7\n", "[{\"name\": \"package\"}, {\"name\": \"other\"}]",
  ]) func textIsNoTrace(text: String) {
    #expect(message(text)?.hasPrefix("is not a trace") == true, "\(message(text) ?? "nothing")")
    #expect(message(text)?.hasSuffix("launchprof record makes a trace") == true)
  }

  /// Names may have them, and the bytes beyond the head of a file are not looked at.
  @Test func namesMayHaveControlCharacters() {
    #expect(message(#"[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a\#u{1}b"}]"#) == "read as chrome-json")
    #expect(message("a\u{1}pp 9/9 1.5: 7 cpu-clock: \n\t55 main (/bin/app)\n") == "read as perf-script")
    #expect(message("main;a\u{1}b 5\nmain;c 6\n") == "read as folded")
  }

  /// async-profiler writes threads so, and others what they have no name for.
  @Test(arguments: [
    "[main tid=1234];java/lang/Thread.run;foo 29", "[[kernel.kallsyms]];foo 29", "{closure};foo 29",
    "[{closure}];foo 29",
  ]) func aStackMayBeginWithABracket(stack: String) {
    #expect(message(stack + "\nmain;bar 3\n") == "read as folded")
    #expect(message("main;bar 3\n" + stack + "\n") == "read as folded")
  }

  @Test func jsonMayHaveBlanks() {
    let event = #"{ "ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"}"#
    #expect(message(" [ \n\(event)") == "read as chrome-json")
    #expect(message("{ \n\"traceEvents\": []}") == "read as chrome-json" && message("[ ]") == "read as chrome-json")
    #expect(message("{ }")?.hasPrefix("is JSON") == true)
  }

  @Test func linesMayEndAsInWindows() {
    #expect(message("main;a;b 3\r\nmain;a 2\r\n") == "read as folded")
    #expect(
      message("execve(\"/bin/true\", [\"true\"], 0x7ffd) = 0\r\nbrk(NULL)   = 94321234\r\n")?.contains("strace") == true
    )
  }

  /// perf fills addresses up with blanks to 16 digits.
  @Test func userStacksWithoutTimesAreOfPerf() {
    #expect(
      message("app  7 cycles:u: \n\t            1030 main\n\t    7f00a1b2c3d4 start\n\n") == "read as perf-script")
  }

  @Test func stacksAreFolded() {
    #expect(message("swapper 5\nmain;a;b 3\nmain;a 2.5\n") == "read as folded")
    #expect(message("main;a;b 3 \nmain;thread 1 2\t\n") == "read as folded")
  }

  @Test func anInstrumentsDocumentIsNamed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/launch.trace"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    do {
      _ = try TraceReader().read(path: path)
      Issue.record("read")
    } catch {
      #expect(error.code == .isDirectory && error.message.contains("xctrace export"))
    }
  }
}
