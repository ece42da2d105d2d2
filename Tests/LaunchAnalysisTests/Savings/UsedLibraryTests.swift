// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// A library whose code the launch runs is not to be opened later, nor to be done without.
struct UsedLibraryTests {
  private let millisecond: Int64 = 1_000_000

  /// java: the savings advised to open libjvm later, beside a finding that said that the launch runs its code.
  @Test(arguments: [("/usr/lib/jvm/libjvm.so", 0), ("/usr/bin/notes-server", 1)])
  func anOpenedLibraryThatRunsIsNotDeferred(image: String, count: Int) {
    var launch = SampleLaunch(exit: 100 * millisecond)
    launch.interval(
      "dlopen", from: 5 * millisecond, to: 35 * millisecond, category: "launchprof.library",
      [("path", .array([.string("/usr/lib/jvm/libjvm.so")]))])
    launch.samples(["start", .init("run", image: image)], from: 40 * millisecond, to: 90 * millisecond)
    #expect(savings(launch, .deferOpening).count == count)
  }

  /// python3: the advice was to do without libpython.
  @Test(arguments: ["/usr/lib/libpython3.11.so.1.0", "/usr/bin/notes-server"])
  func theLibraryThatIsTheProgramIsNotDropped(image: String) {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    func point(_ name: String, _ time: Int64) {
      launch.instant(
        name, at: time, category: "launchprof.point",
        [("source", .string("kernel")), ("path", .string("/usr/bin/notes-server"))])
    }
    point("exec", 0)
    point("loader-started", millisecond)
    let libraries = ["/usr/lib/libpython3.11.so.1.0", "/usr/lib/libz.so.1"]
    let all = [("/usr/bin/notes-server", libraries.map { String($0.dropFirst(9)) })] + libraries.map { ($0, []) }
    for (place, library) in all.enumerated() {
      launch.instant(
        "map", at: Int64(place + 1) * millisecond, category: "launchprof.library",
        [
          ("path", .string(library.0)), ("size", .uint(4096)), ("source", .string("kernel")),
          ("needed", .array(library.1.map { .string($0) })),
        ])
      launch.interval(
        "relocate", from: Int64(place + 5) * millisecond, to: Int64(place + 6) * millisecond,
        category: "launchprof.library", [("path", .string(library.0))])
    }
    point("relocated", 10 * millisecond)
    point("main", 12 * millisecond)
    launch.samples(["main", .init("eval", image: image)], from: 20 * millisecond, to: 80 * millisecond)
    launch.samples(
      ["main", .init("inflate", image: "/usr/lib/libz.so.1")], from: 80 * millisecond, to: 90 * millisecond)
    let dropped = savings(launch, .dropLibrary).map(\.subject).sorted()
    #expect(dropped == (image.hasSuffix(".0") ? ["libz.so.1"] : ["libpython3.11.so.1.0", "libz.so.1"]))
  }

  private func savings(_ launch: consuming SampleLaunch, _ change: LaunchChange) -> [Saving] {
    Savings([LaunchTimeline(trace: launch.trace())]).savings.filter { $0.change == change }
  }
}
