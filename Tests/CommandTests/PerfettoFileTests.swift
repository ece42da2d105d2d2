// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import LaunchViewer
import TestSupport
import Testing

@testable import launchprof

/// What `open --in perfetto` serves.
struct PerfettoFileTests {
  private func served(_ path: String) throws -> [UInt8] {
    let file = try PerfettoFile.make([path]).file
    defer { close(file.descriptor) }
    var bytes = [UInt8](repeating: 0, count: file.size)
    #expect(pread(file.descriptor, &bytes, bytes.count, 0) == bytes.count)
    return bytes
  }

  /// A pipe with the whole content in it, and without a writer.
  private func pipe(_ bytes: [UInt8]) throws -> (path: String, descriptor: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    return ("/proc/self/fd/\(ends[0])", ends[0])
  }

  private static let slices = #"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5}]"#
  private static let evented = #"""
    {"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[
    {"type":"evented","name":"t","unit":"milliseconds","startValue":0,"endValue":5,"events":[{"type":"O","at":0,"frame":0},
    {"type":"C","at":5,"frame":0}]}]}
    """#

  /// A pipe can be read once.
  @Test(arguments: [slices, evented]) func pipesAreServedAsFilesAre(text: String) throws {
    let bytes = Array(text.utf8)
    let (path, descriptor) = try pipe(bytes)
    defer { close(descriptor) }
    let directory = try TemporaryDirectory()
    let content = try served(path)
    #expect(content == (try served(try directory.write(bytes, to: "trace.json"))))
    #expect((content == bytes) == (text == Self.slices))
  }

  /// Perfetto's viewer reads samples of V8 from Chrome's format, and no others.
  @Test func samplesOfChromesFormatAreConverted() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      #"{"traceEvents":[],"stackFrames":{"1":{"name":"f"}},"samples":[{"tid":8,"pid":8,"ts":5,"sf":1}]}"#, to: "t.json")
    let trace = try served(path).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.format == .perfetto && trace.samples.count == 1)
  }

  /// What the viewer calls a thread is not always what the trace does.
  @Test(arguments: [("", "Thread"), ("/usr/bin/app", "app"), ("a.b", #"a\.b"#)])
  func theMainThreadIsPinned(name: String, shown: String) throws {
    let directory = try TemporaryDirectory()
    let thread = #"[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"\#(name)"}},"#
    let path = try directory.write(thread + Self.slices.dropFirst(), to: "trace.json")
    let served = try PerfettoFile.make([path])
    defer { close(served.file.descriptor) }
    #expect(served.commands.last == .pinTracks(matching: "^\(shown) 1$"))
  }
}
