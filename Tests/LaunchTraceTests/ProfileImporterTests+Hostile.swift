// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LaunchTrace

/// What is hostile: files that break off, and those that would cost too much.
extension ProfileImporterTests {
  @Test(arguments: ["firefox", "speedscope", "cpuprofile"]) func aFileThatBreaksOffIsRefused(name: String) throws {
    let sample = try #require(ProfileInput.all.first { $0.name == name })
    #expect { try read(Array(sample.bytes.dropLast(20))) } throws: { ($0 as? TraceError)?.code == .malformed }
  }

  /// Deeper than any real stack: it is cut, without recursion.
  @Test func endlessStacksAreCut() throws {
    let count = 40_000
    let ones = [String](repeating: "1", count: count - 1).joined(separator: ",")
    let deep = ProfileInput.firefox
      .replacingOccurrences(of: "\"frame\": [0, 1, 2]", with: "\"frame\": [0,\(ones)]")
      .replacingOccurrences(of: "\"prefixOffset\": [0, 1, 2]", with: "\"prefixOffset\": [0,\(ones)]")
      .replacingOccurrences(of: "\"stack\": [1, 2, null]", with: "\"stack\": [\(count - 1), 2, null]")
    #expect(stack(try read(deep), 0).count == 4096)
    let zeros = [String](repeating: "0", count: count).joined(separator: ",")
    let sampled = ProfileInput.speedscope.replacingOccurrences(of: "[[0,1],[0],[]]", with: "[[\(zeros)],[0],[]]")
    #expect(stack(try read(sampled), 0).count == 4096)
    let nodes = (1...count).map { "{\"id\":\($0),\"callFrame\":{\"functionName\":\"f\"},\"children\":[\($0 + 1)]}" }
    let profile = "{\"nodes\":[\(nodes.joined(separator: ","))],\"samples\":[\(count)],\"timeDeltas\":[1]}"
    #expect(stack(try read(profile), 0).count == 4096)
  }

  /// A sample of two bytes would become a row of 24.
  @Test(.smallerLimits, arguments: ["cpuprofile", "speedscope", "firefox"]) func samplesAreBounded(name: String) throws
  {
    let sample = try #require(ProfileInput.all.first { $0.name == name })
    let many = 8_000
    let ones = [String](repeating: "1", count: many).joined(separator: ",")
    let text = String(decoding: sample.bytes, as: UTF8.self)
      .replacingOccurrences(of: "\"samples\":[2,4,3]", with: "\"samples\":[\(ones)]")
      .replacingOccurrences(of: "\"timeDeltas\":[100,1200,800]", with: "\"timeDeltas\":[]")
      .replacingOccurrences(of: "[[0,1],[0],[]]", with: "[\(ones)]")
      .replacingOccurrences(of: "\"stack\": [1, 2, null]", with: "\"stack\": [\(ones)]")
    let trace = try read(text)
    #expect(trace.samples.count <= TraceLimits.samples(bytes: text.utf8.count))
    #expect(trace.statistics.ignored["more samples than a file of its size has", default: 0] >= 1_000)
  }

  /// So would nodes, frames and markers.
  @Test(.smallerLimits) func nodesFramesAndMarkersAreBounded() throws {
    let many = 6_000
    let nodes = (10..<6_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let tree = try read(
      ProfileInput.cpuProfile.replacingOccurrences(
        of: "\"nodes\":[", with: "\"nodes\":[{\"id\":9,\"callFrame\":{}},\(nodes),"))
    #expect(tree.statistics.cutStacks > 0 && tree.samples.count == 3)
    let frames = String(repeating: "0,", count: many)
    let cut = try read(ProfileInput.speedscope.replacingOccurrences(of: "\"frames\":[", with: "\"frames\":[\(frames)"))
    #expect(cut.statistics.cutStacks > 0 && stack(cut, 0) == ["(anonymous)", "(anonymous)"])
    let zeros = String(repeating: "0,", count: many)
    let marked = ProfileInput.firefox.replacingOccurrences(of: "\"data\": [{", with: "\"data\": [\(zeros){")
      .replacingOccurrences(of: "\"name\": [5", with: "\"name\": [\(zeros)5")
      .replacingOccurrences(of: "\"startTime\": [1,", with: "\"startTime\": [\(zeros)1,")
    let trace = try read(marked)
    #expect(trace.instants.count <= TraceLimits.nodes(bytes: marked.utf8.count))
    #expect(trace.statistics.ignored["more markers than a file of its size has", default: 0] > 0)
  }

  /// Functions may have the names by which the other format is known.
  @Test func namesOfFunctionsDoNotDecideTheFormat() throws {
    let words = { (names: [String]) in names.map { "{\"name\":\"\($0)\"}," }.joined() }
    let speedscope = ProfileInput.speedscope.replacingOccurrences(
      of: "\"frames\":[", with: "\"frames\":[\(words(["callFrame", "nodes"]))")
    #expect(try read(speedscope).format == .speedscope)
    let profile = ProfileInput.cpuProfile.replacingOccurrences(
      of: "\"nodes\":[",
      with: "\"nodes\":[{\"id\":9,\"callFrame\":{\"functionName\":\"shared\"}},"
        + "{\"id\":10,\"callFrame\":{\"functionName\":\"frames\"}},")
    #expect(try read(profile).format == .cpuProfile)
  }

  /// Otherwise a track would be kept for three bytes of the file.
  @Test func profilesOfAnUnknownTypeAreNoThreads() throws {
    let text = ProfileInput.speedscope.replacingOccurrences(of: "0.02,0.01]}", with: "0.02,0.01]},0,{}")
    let trace = try read(text)
    #expect(trace.tracks.count == (try read(ProfileInput.speedscope)).tracks.count)
    #expect(trace.statistics.skipped == ["profiles of an unknown type": 2])
  }

  /// Endless brackets are read without recursion.
  @Test func nestedBracketsAreHarmless() throws {
    let brackets = String(repeating: "[", count: 1_000_000)
    let text = ProfileInput.cpuProfile.replacingOccurrences(of: "\"samples\":[2,4,3]", with: "\"samples\":\(brackets)")
    #expect { try read(text) } throws: { ($0 as? TraceError)?.code == .malformed }
  }
}
