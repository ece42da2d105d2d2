// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// Small profiles in the formats of other profilers.
enum ProfileInput {
  static let all: [SampleInput] = [
    SampleInput(name: "firefox", format: .firefox, bytes: Array(firefox.utf8)),
    SampleInput(name: "firefox, version 48", format: .firefox, bytes: Array(oldFirefox.utf8)),
    SampleInput(name: "speedscope", format: .speedscope, bytes: Array(speedscope.utf8)),
    SampleInput(name: "speedscope, evented", format: .speedscope, bytes: Array(evented.utf8)),
    SampleInput(name: "cpuprofile", format: .cpuProfile, bytes: Array(cpuProfile.utf8)),
    SampleInput(name: "pprof", format: .pprof, bytes: pprof()),
  ]

  /// Version 70: tables shared by the threads, offsets to callers, and libraries of frames.
  static let firefox = #"""
    {"meta": {"interval": 2, "startTime": 1700000000000.5, "processType": 0, "product": "app", "stackwalk": 1, "version": 36,
      "preprocessedProfileVersion": 70, "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]},
      {"name": "Load", "color": "blue", "subcategories": ["Other"]}], "markerSchema": []},
     "libs": [{"arch": "x86_64", "name": "app", "path": "/bin/app", "debugName": "app", "debugPath": "/bin/app",
       "breakpadId": "", "codeId": "ab12"}],
     "shared": {
      "stringArray": ["main", "parse\u00e9", "/src/app.swift", "app", "open", "phase", "point", "half"],
      "stackTable": {"frame": [0, 1, 2], "prefixOffset": [0, 1, 2], "length": 3},
      "frameTable": {"address": [16, 32, 48], "lib": [0, 0, -1], "inlineDepth": [0, 0, 0], "func": [0, 1, 2],
        "line": [3, 14, null], "length": 3},
      "funcTable": {"name": [0, 1, 4], "isJS": [false, false, false], "resource": [0, 0, -1], "source": [0, 0, null],
        "length": 3},
      "resourceTable": {"name": [3], "host": [null], "type": [1], "length": 1},
      "sources": {"id": [null], "filename": [2], "length": 1}, "nativeSymbols": {"length": 0}},
     "threads": [
      {"name": "app", "isMainThread": true, "processName": "app", "pid": "900", "tid": "1.900",
       "samples": {"stack": [1, 2, null], "timeDeltas": [10, 2, 2.5], "weight": [1, 3, 1], "weightType": "samples", "length": 3},
       "markers": {"data": [{"type": "Text", "name": "a\n"}, null, null, null], "name": [5, 6, 7, 7],
        "startTime": [1, 2.5, 3, null], "endTime": [9, null, null, 4.25], "phase": [1, 0, 2, 3], "category": [1, 0, 0, 0],
        "length": 4}},
      {"name": "worker", "isMainThread": false, "pid": "900", "tid": 901,
       "samples": {"stack": [0], "time": [11], "weight": null, "weightType": "samples", "length": 1},
       "markers": {"data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "length": 0}}]}
    """#

  /// As samply wrote it: each thread has its own tables.
  static let oldFirefox = #"""
    {"meta": {"categories": [{"color": "grey", "name": "Other"}], "interval": 1.0, "preprocessedProfileVersion": 48,
      "processType": 0, "product": "app", "startTime": 0, "stackwalk": 1, "version": 24},
     "libs": [{"name": "libx.so", "path": "/lib/libx.so", "debugPath": "/lib/libx.so", "codeId": null}],
     "threads": [{"isMainThread": true, "name": "app", "pid": "7", "tid": 7,
      "frameTable": {"length": 2, "address": [4096, 8192], "func": [0, 1], "line": [null, null]},
      "funcTable": {"length": 2, "name": [0, 1], "resource": [-1, 0], "fileName": [null, null]},
      "resourceTable": {"length": 1, "lib": [0], "name": [2], "host": [null], "type": [1]},
      "stackTable": {"length": 2, "prefix": [null, 0], "frame": [0, 1]},
      "samples": {"length": 2, "stack": [1, 0], "time": [5.5, 6.5], "weight": [1, 1], "weightType": "samples"},
      "markers": {"length": 0, "data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": []},
      "stringArray": ["start", "0x2000", "libx.so"]}]}
    """#

  static let speedscope = #"""
    {"$schema":"https://www.speedscope.app/file-format-schema.json","activeProfileIndex":1,"name":"app.py",
     "profiles":[
      {"type":"sampled","name":"Thread 2 \"worker\"","unit":"seconds","startValue":0.0,"endValue":0.01,
       "samples":[[0,2]],"weights":[0.01]},
      {"type":"sampled","name":"MainThread","unit":"seconds","startValue":0.0,"endValue":0.04,
       "samples":[[0,1],[0],[]],"weights":[0.01,0.02,0.01]}],
     "shared":{"frames":[{"name":"<module>","file":"app.py","line":9},{"name":"main","file":"app.py","line":3},
      {"name":"work","file":"app.py","line":5,"col":1}]},"exporter":"py-spy@0.4.0"}
    """#

  static let evented = #"""
    {"exporter":"speedscope@1.25.0","$schema":"https://www.speedscope.app/file-format-schema.json",
     "shared":{"frames":[{"name":"a"},{"name":"b"}]},
     "profiles":[{"type":"evented","name":"app","unit":"microseconds","startValue":0,"endValue":14,
      "events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2.5},{"type":"C","frame":1,"at":5},
       {"type":"C","frame":0,"at":14}]}]}
    """#

  static let cpuProfile = #"""
    {"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},
      "hitCount":0,"children":[2,3]},
     {"id":2,"callFrame":{"functionName":"(program)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}},
     {"id":3,"callFrame":{"functionName":"","scriptId":"4","url":"file:///app.js","lineNumber":0,"columnNumber":0},"children":[4]},
     {"id":4,"callFrame":{"functionName":"parse","scriptId":"4","url":"file:///app.js","lineNumber":6,"columnNumber":2}}],
     "startTime":1000,"endTime":5000,"samples":[2,4,3],"timeDeltas":[100,1200,800]}
    """#

  /// Two counts for each stack, a function inlined into another, and one without a name.
  static func pprof() -> [UInt8] {
    var profile = ProtobufWriter()
    // Go writes the time first.
    profile.varint(9, 1_700_000_000_000_000_000)
    for (type, unit) in [(1, 2), (3, 4)] as [(UInt64, UInt64)] {
      profile.message(1) { message in
        message.varint(1, type)
        message.varint(2, unit)
      }
    }
    for (locations, values) in [([2, 1], [3, 30_000_000]), ([1], [1, 10_000_000]), ([3, 1], [2, 20_000_000])]
      as [([UInt64], [UInt64])]
    {
      profile.message(2) { message in
        for location in locations { message.varint(1, location) }
        for value in values { message.varint(2, value) }
      }
    }
    profile.message(3) { message in
      for (field, value) in [(1, 1), (2, 0x40_0000), (3, 0x50_0000), (4, 0x1000), (5, 8), (6, 9)] as [(Int, UInt64)] {
        message.varint(field, value)
      }
    }
    for (id, address, functions) in [(1, 0x40_1000, [1]), (2, 0x40_2000, [3, 2]), (3, 0x40_3000, [])]
      as [(UInt64, UInt64, [UInt64])]
    {
      profile.message(4) { message in
        message.varint(1, id)
        message.varint(2, 1)
        message.varint(3, address)
        for function in functions {
          message.message(4) { line in
            line.varint(1, function)
            line.varint(2, function * 10)
          }
        }
      }
    }
    for (id, name) in [(1, 5), (2, 6), (3, 7)] as [(UInt64, UInt64)] {
      profile.message(5) { message in
        message.varint(1, id)
        message.varint(2, name)
        message.varint(4, 10)
      }
    }
    let strings = [
      "", "samples", "count", "cpu", "nanoseconds", "main.main", "main.outer", "main.inlined", "/bin/app", "ab12",
      "/src/main.go",
    ]
    for string in strings { profile.string(6, string) }
    return profile.bytes
  }
}
