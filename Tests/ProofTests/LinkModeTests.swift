// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// Every static initialiser is timed in every link mode, and compared with the times that slow constructors print.
struct LinkModeTests {
  /// Error of the recorder's clock, calibrated against CLOCK_MONOTONIC, ns: some ten nanoseconds on an idle machine,
  /// microseconds where other programs take the CPU meanwhile. A slow constructor takes 5 ms, far more.
  static let clockError: Int64 = 200_000

  @Test(arguments: [
    ("dynamic", "initializers"), ("dynamic", "initializers-shared"), ("static-stdlib", "initializers"),
    ("static-stdlib", "initializers-shared"), ("static", "initializers"),
  ])
  func slowConstructorsAreTimed(mode: String, program: String) throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("\(mode)-\(program).pftrace")
    let run = try TestProcess.run(BuiltProgram.linkMode(mode, program), adding: ["LAUNCHPROF_TRACE": path])
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)

    let trace = try TraceReader().read(path: path)
    let initializers = RecordedSpan.initializers(in: trace)
    let phase = try #require(RecordedSpan.phases(in: trace).first { $0.name == "static-init" })
    let recorder = trace.annotations(category: "launchprof.recorder")
    guard case .uint(let preinit)? = recorder["preinit_ns"] else {
      Issue.record("no preinit_ns: \(recorder)")
      return
    }
    #expect(recorder["link_mode"] == .string(mode == "static" ? "static" : "dynamic"))
    #expect(recorder["initializers_untimed"] == .uint(0))

    let said = try run.text.split(separator: "\n").map { try SlowSpan(line: $0) }
    #expect(said.count == (program == "initializers" ? 2 : 3))
    for span in said {
      let around = initializers.filter {
        $0.start - Self.clockError <= span.start && span.end <= $0.end + Self.clockError
      }
      #expect(around.count == 1, "\(span.name) ran in \(around.count) recorded initialisers: \(initializers)")
      let image = span.name == "library" ? "libslow.so" : program
      #expect(around.allSatisfy { $0.image.hasSuffix("/" + image) }, "\(span.name): \(around)")
      // The end of loading was recorded before any constructor ran.
      #expect(Int64(preinit) <= span.start)
      #expect(phase.start <= span.start && span.end <= phase.end)
      print(
        "\(mode) \(program): \(span.name) took \((span.end - span.start) / 1000) µs by its own clock,",
        "\(around.map { ($0.end - $0.start) / 1000 }) µs in the trace")
    }
  }
}

extension LinkModeTests {
  /// The loader knows the library by a path that is relative to the current directory.
  @Test func aLibraryWithARelativePathHasAnAbsoluteOne() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("relative.pftrace")
    let run = try TestProcess.run(
      BuiltProgram.linkMode("dynamic", "initializers-shared"),
      adding: ["LAUNCHPROF_TRACE": path, "LD_LIBRARY_PATH": "library"],
      directory: PackageRoot.appending("Tests/LinkModes/.build"))
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    let initializers = RecordedSpan.initializers(in: try TraceReader().read(path: path))
    let images = Set(initializers.map(\.image).filter { $0.hasSuffix("libslow.so") })
    #expect(images == [PackageRoot.appending("Tests/LinkModes/.build/library/libslow.so")])
  }

  /// A program in C++ interoperability mode links, and calls the same functions.
  @Test func aProgramInCxxInteroperabilityModeIsRecorded() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("hello-cxx.pftrace")
    let run = try TestProcess.run(BuiltProgram.linkMode("dynamic", "hello-cxx"), adding: ["LAUNCHPROF_TRACE": path])
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")

    let trace = try TraceReader().read(path: path)
    let names = Set((trace.slices.name + trace.instants.name).map { trace.string($0) })
    #expect(names.isSuperset(of: ["greet", "farewell", "greeted", "ready"]), "\(names)")
  }

  /// glibc calls the first function of a recorder in a library, too, when the program opens the library.
  @Test(arguments: ["dynamic", "static-stdlib"])
  func aRecorderInAnOpenedLibraryLeavesTheLaunchAlone(mode: String) throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("plugin-host.pftrace")
    let plugin = try BuiltProgram.linkMode(mode, "libProfiledPlugin.so")
    let run = try TestProcess.run(
      BuiltProgram.linkMode(mode, "plugin-host"), [plugin], adding: ["LAUNCHPROF_TRACE": path])
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    #expect(try directory.contents() == ["plugin-host.pftrace"])

    let trace = try TraceReader().read(path: path)
    let names = trace.slices.name.map { trace.string($0) }
    #expect(names.contains("after the plugin"))
    // A program with a static standard library exports its recorder, and the loader gives the library that one.
    #expect(names.contains("inside the plugin") == (mode == "static-stdlib"))
    let phases = RecordedSpan.phases(in: trace).map(\.name)
    #expect(phases == ["load", "recorder", "static-init"])
  }
}

/// A slow constructor's output: `name start end`, CLOCK_MONOTONIC ns.
private struct SlowSpan {
  var name: String
  var start: Int64
  var end: Int64

  init(line: Substring) throws {
    let words = line.split(separator: " ")
    name = String(words[0])
    start = try #require(Int64(words[1]))
    end = try #require(Int64(words[2]))
  }
}
