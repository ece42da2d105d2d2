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
  @Test func namesOfFoldedStacksAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 40_000
    let text = (0..<many).map { "a;\($0) 1\n" }.joined()
    let trace = try read(text)
    #expect(isBounded(trace, text.utf8.count) && trace.statistics.cutStacks > 30_000)
    #expect(trace.samples.count == many && trace.samples.weight.reduce(0, +) == Int64(many))
    let last = try #require(trace.samples.stack.last)
    #expect(trace.strings[StringID(rawValue: trace.stacks[Int(last)].function)] == "a")
  }

  @Test func namesOfPerfScriptAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 40_000
    let text = (1...many).map { "a\($0) 7 1.0: 1 e:\n\t1 \($0) (b)\n\t2 main (b)\n\n" }.joined()
    let trace = try read(text)
    #expect(isBounded(trace, text.utf8.count) && trace.statistics.cutStacks > 10_000)
    #expect(trace.samples.count == many && trace.tracks.contains { trace.strings[$0.name] == "a1" })
  }

  /// The times of `--deltatime` belong to the samples that are kept.
  @Test func samplesOfPerfScriptAreBounded() throws {
    let many = 520_000
    let text = (0..<many).map { "a 1 0.00000\($0 % 3): e:\n" }.joined()
    let trace = try read(text)
    let left = trace.statistics.ignored["more samples than a file of its size has"] ?? 0
    #expect(left > 10_000 && trace.samples.count + left == many)
    #expect(trace.samples.count <= TraceLimits.textSamples(bytes: text.utf8.count))
    #expect(trace.samples.time.first == 0 && TraceInvariants.violations(trace).isEmpty)
  }

  /// Names of nodes that are left out, or have the id of another one.
  @Test func namesOfProfilesAreBounded() throws {
    let many = TraceLimits.names(bytes: 0) + 60_000
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
