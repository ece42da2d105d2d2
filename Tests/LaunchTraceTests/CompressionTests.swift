// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Compressed files and packets, from this machine's compressors: `gzip`, and Python's zlib.
@Suite struct CompressionTests {
  private static let python = """
    import sys, zlib
    mode, source, target = sys.argv[1:4]
    data = open(source, 'rb').read()
    def field(tag, body):
        out, n = bytes(tag), len(body)
        while n > 127: out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n]) + body
    if mode == 'gzip':
        c = zlib.compressobj(9, zlib.DEFLATED, 31)
        open(target, 'wb').write(c.compress(data) + c.flush())
    elif mode == 'members':
        def member(part):
            c = zlib.compressobj(1, zlib.DEFLATED, 31)
            return c.compress(part) + c.flush()
        open(target, 'wb').write(member(data[:100]) + member(data[100:]))
    elif mode == 'packets':
        open(target, 'wb').write(field([0x0a], field([0x92, 0x03], zlib.compress(data))))
    elif mode == 'bomb':
        bomb = zlib.compress(bytes(int(sys.argv[4])), 9)
        open(target, 'wb').write(field([0x0a], field([0x92, 0x03], bomb)) + data)
    elif mode == 'bombs':
        bomb = zlib.compress(field([0x7a], bytes(int(sys.argv[4]))), 9)
        open(target, 'wb').write(field([0x0a], field([0x92, 0x03], bomb)) * 20 + data)
    elif mode == 'filled':
        c = zlib.compressobj(9, zlib.DEFLATED, 31)
        open(target, 'wb').write(c.compress(data + field([0x7a], bytes(int(sys.argv[4])))) + c.flush())
    elif mode == 'nested':
        inner = field([0x0a], field([0x92, 0x03], zlib.compress(data)))
        open(target, 'wb').write(field([0x0a], field([0x92, 0x03], zlib.compress(inner))) + data)
    """

  private func make(_ mode: String, _ extra: [String] = [], in directory: TemporaryDirectory) throws -> String {
    let source = try directory.write(SampleTrace.writer().bytes, to: "source")
    let target = directory.appending(mode)
    let run = try TestProcess.run(Tools.python(), ["-c", Self.python, mode, source, target] + extra, timeout: 60)
    #expect(run.succeeded, "\(run.errorText)")
    return target
  }

  @Test(arguments: ["gzip", "members", "packets"]) func compressedTracesAreRead(mode: String) throws {
    let directory = try TemporaryDirectory()
    let trace = try TraceReader().read(path: try make(mode, in: directory))
    #expect(trace.diagnostics.isEmpty)
    #expect(TraceCounts(trace).description == TraceCounts(try sample()).description)
  }

  @Test func textIsReadFromGzip() throws {
    let directory = try TemporaryDirectory()
    let source = try directory.write(SampleInput.json, to: "trace.json")
    #expect(try TestProcess.run("/bin/gzip", [source], timeout: 60).succeeded)
    let trace = try TraceReader().read(path: source + ".gz")
    #expect(trace.format == .chromeJSON)
    #expect(trace.slices.count == 4)
  }

  /// pzstd writes such a frame before each frame of data.
  @Test func framesToSkipMayComeFirst() throws {
    let text = Array("main;a;b 3\nmain;a 2\n".utf8)
    let skipped: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    // Its only block is not compressed.
    let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(text.count), UInt8(text.count << 3 | 1), 0, 0] + text
    for bytes in [frame, skipped + frame] {
      let trace = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
      #expect(trace.format == .folded && trace.samples.count == 2 && !trace.statistics.truncated)
    }
  }

  @Test func aTruncatedGzipLosesItsTail() throws {
    let directory = try TemporaryDirectory()
    let whole = try Data(contentsOf: URL(fileURLWithPath: try make("gzip", in: directory)))
    let trace = try Array(whole.dropLast(60)).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.statistics.packets > 0)
    #expect(trace.statistics.truncated)
  }

  /// The end of the text may be missing between two lines.
  @Test func truncatedTextSaysSo() throws {
    let directory = try TemporaryDirectory()
    let lines = (0..<1_500).map { "main;work \($0 &* 7919 % 65_537) \($0)\n" }.joined()
    let source = try directory.write(lines, to: "stacks.folded")
    #expect(try TestProcess.run("/bin/gzip", [source], timeout: 60).succeeded)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source + ".gz")))
    for dropped in 0..<40 {
      let trace = try whole.dropLast(dropped + 100).withUnsafeBytes { try TraceReader().read(bytes: $0) }
      #expect(trace.statistics.truncated, "without the last \(dropped + 100) bytes")
    }
    #expect(try !whole.withUnsafeBytes { try TraceReader().read(bytes: $0) }.statistics.truncated)
  }

  /// Others than records of launches have no parts of their own there.
  @Test func whatFollowsACompressedTraceIsNoDamage() throws {
    let directory = try TemporaryDirectory()
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try make("gzip", in: directory))))
    let trace = try (whole + [0, 0, 0]).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(!trace.statistics.truncated && trace.diagnostics.isEmpty)
  }

  @Test func bombsAreLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let trace = try TraceReader().read(path: try make("bomb", ["\(100 << 20)"], in: directory))
    #expect(trace.diagnostics.count == 1)
    #expect(trace.slices.count == 4)
    let nested = try TraceReader().read(path: try make("nested", in: directory))
    #expect(nested.diagnostics.map(\.reason) == ["compressed packets within compressed packets; skipped"])
    #expect(nested.slices.count == 4)
  }

  /// Twenty packets of 10 KB that become 10 MiB each. Together they may become 16 MiB, and 128 times as large as the file.
  @Test func packetsAreBoundedTogether() throws {
    let directory = try TemporaryDirectory()
    let trace = try TraceReader().read(path: try make("bombs", ["\(10 << 20)"], in: directory))
    #expect(trace.slices.count == 4)
    #expect((10..<20).contains(trace.statistics.defects), "\(trace.statistics.defects) of 20 were left out")
    #expect(trace.diagnostics.allSatisfy { $0.reason.hasPrefix("compressed packets that hold more than ") })
  }

  /// A recorder that was killed leaves megabytes of filler.
  @Test func filesThatBecomeTooLargeAreRefused() throws {
    let directory = try TemporaryDirectory()
    let small = try TraceReader().read(path: try make("filled", ["\(15 << 20)"], in: directory))
    #expect(small.slices.count == 4 && small.diagnostics.isEmpty)
    let large = try make("filled", ["\(40 << 20)"], in: directory)
    let error = #expect(throws: TraceError.self) { try TraceReader().read(path: large) }
    #expect(error?.code == .tooLarge && error?.message.contains("gzip -d, or zstd -d") == true)
  }

  @Test func zstandardPacketsAreRead() throws {
    // `zstd -c sample | …` as a packet. It is a fixture, because the tests' Python may lack Zstandard.
    let path = PackageRoot.fixture("perfetto/zstd-packets.pftrace")
    let trace = try TraceReader().read(path: path)
    #expect(trace.diagnostics.isEmpty)
    #expect(TraceCounts(trace).description == TraceCounts(try sample()).description)
  }

  private func sample() throws -> Trace {
    try SampleTrace.writer().bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }
}
