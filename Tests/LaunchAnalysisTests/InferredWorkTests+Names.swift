// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Of the functions that samples saw, the finding names the one whose work it is.
extension InferredWorkTests {
  @Test func theInnermostOwnFunctionIsNamed() {
    var launch = launch()
    launch.samples(["main", "outer", "middle", "busy"], from: 10 * millisecond, to: 50 * millisecond)
    launch.samples(["main", "other"], from: 50 * millisecond, to: 55 * millisecond)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["busy"])
    #expect(findings.first?.actual == 40 * millisecond)
    #expect(findings.first?.error == millisecond)
    #expect(findings.first?.expected == 16 * millisecond)
    #expect(findings.first?.path == ["main thread", "main", "outer", "middle"])
    #expect(findings.first.map { $0.start - launch.origin } == 10 * millisecond)
  }

  /// A stripped program has names only for what it exports: `cc1+0xbed990` alone told nobody where to look.
  @Test(arguments: [("compileFile", "compileFile called it. "), ("", "")]) func ofACodeAddressTheCallerIsNamed(
    caller: String, words: String
  ) throws {
    var launch = launch()
    let frames = [caller, "", ""].enumerated().map { SampleLaunch.Frame($1, address: 0x40 + UInt64($0)) }
    launch.samples(["_start", "main"] + frames, from: 10 * millisecond, to: 50 * millisecond)
    let finding = try #require(findings(launch).first)
    #expect(finding.subject == "notes-server+0x42")
    #expect(finding.advice.hasPrefix(words + "Make the program do less of it"), "\(finding.advice)")
  }

  /// Generic code of a language is in the program's file, and inlined functions have no module in their names.
  @Test(arguments: [
    SampleLaunch.Frame("void std::__introsort_loop<int*, long>(int*, int*, long)"),
    .init("std::vector<app::Item, std::allocator<app::Item>>::push_back(app::Item const&)"),
    .init("<alloc::collections::btree::map::IntoIter<K,V,A> as core::iter::traits::iterator::Iterator>::next"),
    .init("core::slice::sort::stable::quicksort::quicksort"), .init("alloc::vec::Vec<T,A>::extend"),
    .init(
      "closure #1 (inout UnsafeMutableBufferPointer<A>, inout Int) in UnsafeMutableBufferPointer._stableSortImpl(by:)",
      file: "/build/swift/stdlib/public/core/Sort.swift", line: 3),
    .init("sort_helper(int*)", file: "/usr/include/c++/12/bits/stl_algo.h", line: 1922),
  ])
  func codeOfALanguageInTheProgramIsItsCallersWork(inner: SampleLaunch.Frame) {
    var launch = launch()
    launch.samples(["main", "load", inner], from: 10 * millisecond, to: 50 * millisecond)
    #expect(findings(launch).map(\.subject) == ["load"])
  }

  /// Their arguments and results are of a language, and their traits.
  @Test(arguments: [
    "std::vector<int, std::allocator<int>> app::load<int>(int)", "load(std::vector<int, std::allocator<int>>&)",
    "<app::Cache as core::clone::Clone>::clone", "<alloc::vec::Vec<T> as app::Load>::load", "app::alloc::reserve",
    "core::Engine::load(std::string const&)", "int core::parse<int>(char const*)", "alloc::Pool::grow() const",
  ])
  func codeOfTheProgramThatUsesALanguageIsItsOwn(function: String) {
    var launch = launch()
    launch.samples(["main", "load", .init(function, file: "/src/app.cc", line: 4)], from: 0, to: 40 * millisecond)
    #expect(findings(launch).map(\.line) == [4])
  }

  /// The code of the kernel is in every program.
  @Test func theClockIsNotTheProgramsOwn() {
    var launch = launch()
    let stack: [SampleLaunch.Frame] = ["main", "busy", .init("clock_gettime", image: "/[vdso]")]
    launch.samples(stack, from: 10 * millisecond, to: 50 * millisecond)
    #expect(findings(launch).map(\.subject) == ["busy"])
  }

  @Test func whatALibraryDoesIsItsCallersWork() {
    let json = "/usr/lib/swift/linux/libFoundationEssentials.so"
    var launch = launch()
    let caller = SampleLaunch.Frame(
      "app.load(String) -> Settings", address: 0x10, file: "/src/app/Load.swift", line: 42)
    let decode = SampleLaunch.Frame("FoundationEssentials.JSONDecoder.decode", image: json)
    launch.samples(["main", caller, decode, .init("scan", image: json)], from: 0, to: 40 * millisecond)
    launch.samples(["main", caller, decode, .init("map", image: json)], from: 40 * millisecond, to: 60 * millisecond)
    let finding = findings(launch).first
    #expect(finding?.subject == "app.load(String) -> Settings")
    #expect(finding?.file == "/src/app/Load.swift")
    #expect(finding?.line == 42)
    #expect(finding?.evidence.first?.kind == .stack)
    #expect(
      finding?.evidence.first?.text
        == "app.load(String) -> Settings > FoundationEssentials.JSONDecoder.decode > scan")
  }

  @Test func withoutOwnCodeTheOutermostOfALibraryIsNamed() {
    var launch = launch()
    launch.samples(
      [
        "main", .init("sqlite3_open", image: "/usr/lib/libsqlite3.so.0"),
        .init("step", image: "/usr/lib/libsqlite3.so.0"),
      ],
      from: 0, to: 30 * millisecond)
    #expect(findings(launch).map(\.subject) == ["sqlite3_open"])
  }

  @Test func workInPartsIsNamedPartByPart() {
    var launch = launch()
    launch.samples(["main", "load", "parse"], from: 0, to: 30 * millisecond)
    launch.samples(["main", "load", "index"], from: 30 * millisecond, to: 60 * millisecond)
    #expect(findings(launch).map(\.subject).sorted() == ["index", "parse"])
  }

  @Test func manySmallPartsAreTheirCallersWork() {
    var launch = launch()
    for part in 0..<10 as Range<Int64> {
      launch.samples(
        ["main", "load", .init("part \(part)")], from: part * 6 * millisecond, to: (part + 1) * 6 * millisecond)
    }
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["load"])
    #expect(findings.first?.actual == 60 * millisecond)
  }

  /// The C library calls `main`, whose name a stripped program does not have.
  @Test func whatSurroundsMainIsNoWork() {
    var launch = launch()
    let outer: [SampleLaunch.Frame] = [
      "app+0x100", "__libc_start_main@GLIBC_2.34", "__libc_start_call_main", "app+0x200",
    ]
    for part in 0..<10 as Range<Int64> {
      launch.samples(
        outer + [.init("part \(part)")], from: part * 6 * millisecond, to: (part + 1) * 6 * millisecond)
    }
    #expect(findings(launch).isEmpty)
    launch.samples(outer + ["app+0x300"], from: 60 * millisecond, to: 90 * millisecond)
    #expect(findings(launch).map(\.subject) == ["app+0x300"])
  }

  @Test func inAPhaseTheFunctionIsNamedBelowIt() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("main", at: 2 * millisecond)
    launch.phase("did-finish-launching", from: 10 * millisecond, to: 90 * millisecond)
    launch.mark("ready", at: 100 * millisecond)
    launch.samples(["main", "run"], from: 3 * millisecond, to: 10 * millisecond)
    launch.samples(["main", "run", "launched", "decode"], from: 15 * millisecond, to: 75 * millisecond)
    let finding = findings(launch).first
    #expect(finding?.subject == "decode")
    #expect(finding?.phase == "did-finish-launching")
    #expect(finding?.path == ["main thread", "did-finish-launching", "main", "run", "launched"])
  }

  /// What runs one job after the other is no call of the program, whatever it is called.
  @Test func whatRunsJobsIsNoWork() {
    var launch = launch()
    let worker = launch.thread(5000, name: "ot.default-qos.overcommit")
    let runs: [SampleLaunch.Frame] = [
      "__GI___clone3", "start_thread", "_dispatch_worker_thread", "_dispatch_lane_invoke",
      "_dispatch_lane_serial_drain", "swift_job_run", "swift::runJobInEstablishedExecutorContext(swift::Job*)",
    ]
    launch.samples(["main"], from: 0, to: 2 * millisecond)
    for part in 1..<10 as Range<Int64> {
      launch.samples(
        runs + [.init("job \(part)")], from: part * 6 * millisecond, to: (part + 1) * 6 * millisecond, on: worker)
    }
    #expect(findings(launch).isEmpty)
    launch.samples(runs + ["long job"], from: 60 * millisecond, to: 90 * millisecond, on: worker)
    #expect(findings(launch).map(\.subject) == ["long job"])
  }
}
