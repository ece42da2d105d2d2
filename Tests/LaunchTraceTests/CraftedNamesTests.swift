// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import Testing

@testable import LaunchTrace

/// Files that name something else in each few bytes, or list what nothing uses.
@Suite struct CraftedNamesTests {
  private func read(_ text: String) throws -> Trace { try Trace(reading: Array(text.utf8)) }

  private func isBounded(_ trace: Trace, _ bytes: Int) -> Bool {
    // The reader has names of its own, such as "(anonymous)".
    trace.strings.count <= TraceLimits.names(bytes: bytes) + 8
      && trace.stacks.frames.count <= TraceLimits.names(bytes: bytes)
  }

  /// Each line has a new name. What it adds to the stack of a known caller is cut.
  @Test(.smallerLimits) func namesOfFoldedStacksAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 1_000
    let text = (0..<many).map { "a;\($0) 1\n" }.joined()
    let trace = try read(text)
    #expect(isBounded(trace, text.utf8.count) && trace.statistics.cutStacks > 700)
    #expect(trace.samples.count == many && trace.samples.weight.reduce(0, +) == Int64(many))
    let last = try #require(trace.samples.stack.last)
    #expect(trace.strings[StringID(rawValue: trace.stacks[Int(last)].function)] == "a")
  }

  @Test(.smallerLimits) func namesOfPerfScriptAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 1_000
    let text = (1...many).map { "a\($0) 7 1.0: 1 e:\n\t1 \($0) (b)\n\t2 main (b)\n\n" }.joined()
    let trace = try read(text)
    #expect(isBounded(trace, text.utf8.count) && trace.statistics.cutStacks > 400)
    #expect(trace.samples.count == many && trace.tracks.contains { trace.strings[$0.name].hasPrefix("a") })
  }

  /// The times of `--deltatime` belong to the samples that are kept.
  @Test(.smallerLimits) func samplesOfPerfScriptAreBounded() throws {
    let many = 10_000
    let text = (0..<many).map { "a 1 0.00000\($0 % 3): e:\n" }.joined()
    let trace = try read(text)
    let left = trace.statistics.ignored["more samples than a file of its size has"] ?? 0
    #expect(left > 500 && trace.samples.count + left == many)
    #expect(trace.samples.count <= TraceLimits.textSamples(bytes: text.utf8.count))
    #expect(trace.samples.time.first == 0 && TraceInvariants.violations(trace).isEmpty)
  }

  /// Names of nodes that are left out, or have the id of another one.
  @Test(.smallerLimits) func namesOfProfilesAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 1_500
    let nodes = (0..<many).map { "{\"id\":9,\"callFrame\":{\"functionName\":\"\($0)\"}}" }.joined(separator: ",")
    let profile = ProfileInput.cpuProfile.replacing("\"nodes\":[", with: "\"nodes\":[\(nodes),")
    #expect(isBounded(try read(profile), profile.utf8.count))
    let frames = (0..<many).map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
    let speedscope = ProfileInput.speedscope
      .replacing("\"frames\":[", with: "\"frames\":[\(frames),")
      .replacing("[[0,1],[0],[]]", with: "[[0,\(many - 1)],[0],[]]")
    let trace = try read(speedscope)
    #expect(isBounded(trace, speedscope.utf8.count) && trace.statistics.cutStacks > 0)
  }

  /// Each sample has a location of its own, which is only an address.
  @Test(.smallerLimits) func framesOfPprofAreBounded() throws {
    let many: UInt64 = 4_000
    var profile = ProtobufWriter()
    func sample(_ location: UInt64) {
      profile.message(2) {
        $0.varint(1, location)
        for _ in 0..<2 { $0.varint(2, 1) }
      }
    }
    for number in 0..<many {
      let id = 1_000 + number
      profile.message(4) {
        $0.varint(1, id)
        $0.varint(3, id)
      }
      sample(id)
    }
    for number in 0..<500 { sample(1_000 + UInt64(number)) }
    let bytes = ProfileInput.pprof() + profile.bytes
    let trace = try Trace(reading: bytes)
    #expect(trace.stacks.frames.count <= TraceLimits.functions(bytes: bytes.count))
    #expect(trace.statistics.cutStacks > 1_000 && trace.samples.count == 3 + Int(many) + 500)
    // What a location has become stays so.
    #expect(trace.samples.stack.suffix(500) == trace.samples.stack.dropFirst(3).prefix(500))
    #expect(Set(trace.samples.stack.suffix(500)).count == 500)
  }

  /// A sample takes eight bytes.
  @Test(.smallerLimits) func samplesOfPprofAreBounded() throws {
    let many = 8_000
    let sample: [UInt8] = [0x12, 6, 8, 1, 16, 1, 16, 1]
    let bytes = ProfileInput.pprof() + [[UInt8]](repeating: sample, count: many).joined()
    let trace = try Trace(reading: bytes)
    let left = trace.statistics.ignored["more samples than a file of its size has"] ?? 0
    #expect(left > 1_000 && trace.samples.count + left == many + 3)
    #expect(trace.samples.count <= TraceLimits.stackSums(bytes: bytes.count))
  }

  /// Each address of a library had the library's name: 210 KB of pprof took 200 MB, and half a minute.
  @Test func aLongNameOfALibraryIsCutInNamesOfAddresses() {
    var builder = TraceBuilder(format: .pprof)
    let images = ["/lib/libc.so.6", "/a/", "", "/" + String(repeating: "m", count: 20_000)]
    for image in images {
      _ = builder.frame(caller: -1, function: .empty, image: builder.string(image), address: 0x1f)
    }
    let trace = builder.finish()
    #expect(
      images.indices.map(trace.name(ofFrame:)) == [
        "libc.so.6+0x1f", "a+0x1f", "unknown+0x1f", String(repeating: "m", count: 64) + "…+0x1f",
      ])
  }

  /// Of strings and locations that nothing uses, the trace has nothing.
  @Test func stringsOfPprofAreReadWhenTheyAreUsed() throws {
    var unused = ProtobufWriter()
    for number in 0..<5_000 {
      unused.string(6, "unused \(number)")
      unused.message(4) { $0.varint(1, 100_000 + UInt64(number)) }
    }
    let (plain, long) = (
      try Trace(reading: ProfileInput.pprof()), try Trace(reading: ProfileInput.pprof() + unused.bytes)
    )
    #expect(long.strings.count == plain.strings.count && long.stacks.frames == plain.stacks.frames)
    #expect(long.samples.stack == plain.samples.stack && long.stacks.caller == plain.stacks.caller)
  }

  /// A string that nothing uses takes four bytes, not a place among the strings of the trace.
  @Test func stringsOfFirefoxAreReadWhenTheyAreUsed() throws {
    let unused = (0..<5_000).map { ",\"unused \($0)\"" }.joined()
    let text = ProfileInput.firefox.replacing("\"half\"]", with: "\"half\"\(unused)]")
    let (plain, long) = (try read(ProfileInput.firefox), try read(text))
    #expect(text != ProfileInput.firefox && long.strings.count == plain.strings.count)
    #expect(long.slices.count == plain.slices.count && long.stacks.count == plain.stacks.count)
    #expect(long.strings.id(of: "parse\u{e9}") != nil)
  }
}
