// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Packages that only launchprof needs. A program that embeds the library resolves no other package.
let command: TargetDependencyCondition = .when(traits: ["Command"])!
// Packages that LaunchTelemetry reports to.
let telemetry: TargetDependencyCondition = .when(traits: ["Telemetry"])!

let package = Package(
  name: "swift-launch-profiler",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "LaunchProfiler", type: .static, targets: ["LaunchProfiler"]),
    .library(name: "LaunchLifecycle", type: .static, targets: ["LaunchLifecycle"]),
    .library(name: "LaunchSampler", type: .static, targets: ["LaunchSampler"]),
    .library(name: "LaunchTelemetry", type: .static, targets: ["LaunchTelemetry"]),
    .library(name: "LaunchTrace", targets: ["LaunchTrace"]),
    .executable(name: "launchprof", targets: ["launchprof"]),
  ],
  traits: [
    .trait(name: "Command", description: "launchprof and the libraries behind it, with their dependencies."),
    .trait(
      name: "Telemetry", description: "LaunchTelemetry also knows swift-log, swift-metrics, swift-distributed-tracing."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
  ],
  targets: [
    // The words of a trace, for every target that writes or reads them: a header, nothing to link.
    .systemLibrary(name: "CLaunchSchema"),

    // The C library, under one name on every platform.
    .target(name: "LaunchPlatform"),

    // Inside the profiled program.
    .target(name: "CLaunchRecorder"),
    // One launch as a row. Both the program and the command make it, so it needs only the standard library.
    .target(name: "LaunchRecord"),
    .target(name: "LaunchProfiler", dependencies: ["CLaunchRecorder", "CLaunchSchema"]),
    .target(
      name: "LaunchLifecycle", dependencies: ["CLaunchRecorder", "CLaunchSchema", "LaunchPlatform", "LaunchProfiler"]),
    // No pkgConfig: libunwind's would add -lunwind, whose _Unwind_RaiseException would replace the compiler's.
    .systemLibrary(name: "CLaunchUnwind", providers: [.apt(["libunwind-dev"])]),
    .target(
      name: "CLaunchSampler",
      dependencies: ["CLaunchRecorder", .target(name: "CLaunchUnwind", condition: .when(platforms: [.linux]))],
      linkerSettings: [.linkedLibrary("unwind-generic", .when(platforms: [.linux]))]),
    .target(name: "LaunchSampler", dependencies: ["CLaunchSampler", "LaunchPlatform", "LaunchProfiler"]),

    // What a program reports about its own launch. Only with the trait Telemetry does it know other libraries.
    .target(
      name: "LaunchTelemetry",
      dependencies: [
        "CLaunchRecorder", "CLaunchSchema", "LaunchProfiler", "LaunchRecord",
        .product(name: "Logging", package: "swift-log", condition: telemetry),
        .product(name: "CoreMetrics", package: "swift-metrics", condition: telemetry),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: telemetry),
      ]),
    .testTarget(
      name: "LaunchTelemetryTests",
      dependencies: [
        "LaunchProfiler", "LaunchTelemetry", "LaunchTrace",
        .product(name: "InMemoryLogging", package: "swift-log", condition: telemetry),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: telemetry),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: telemetry),
      ]),

    // What the command and its libraries ask of the system: files, directories, the messages of errors.
    .target(name: "LaunchSystem", dependencies: ["LaunchPlatform"]),

    // Outside the profiled program: reading, analysing and rendering traces.
    .systemLibrary(name: "CLaunchZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLaunchZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .target(name: "LaunchTrace", dependencies: ["CLaunchSchema", "CLaunchZlib", "CLaunchZstd", "LaunchSystem"]),
    .target(
      name: "CLaunchSymbols",
      linkerSettings: [
        .linkedLibrary("stdc++", .when(platforms: [.linux])), .linkedLibrary("c++", .when(platforms: [.macOS])),
      ]),
    .target(name: "LaunchSymbols", dependencies: ["CLaunchSymbols", "CLaunchZlib", "LaunchSystem", "LaunchTrace"]),
    .target(
      name: "LaunchAnalysis",
      dependencies: [
        "CLaunchSchema", "LaunchRecord", "LaunchSymbols", "LaunchSystem", "LaunchTrace",
        .product(name: "RealModule", package: "swift-numerics", condition: command),
      ]),
    .systemLibrary(name: "CLaunchSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "LaunchHistory", dependencies: ["CLaunchSQLite", "LaunchAnalysis", "LaunchSystem", "LaunchTrace"]),
    // HTTP: launch records are sent with it, a server of them is asked, and `--ready` asks a URL.
    .target(name: "LaunchWire", dependencies: ["LaunchRecord", "LaunchSystem"]),
    // Records of launches on many machines.
    .target(
      name: "LaunchFleet",
      dependencies: [
        "LaunchAnalysis", "LaunchRecord", "LaunchSystem", "LaunchTrace", "LaunchWire",
        .product(name: "RealModule", package: "swift-numerics", condition: command),
      ]),
    // scripts/build-page turns the page's sources into PageSource.swift.
    .target(
      name: "LaunchReport", dependencies: ["LaunchAnalysis", "LaunchFleet", "LaunchSystem", "LaunchTrace"],
      exclude: ["HTML/Page"]),

    // Serves a trace to a viewer in a browser.
    .target(name: "LaunchViewer", dependencies: ["LaunchSystem"]),

    // The launcher's side.
    .target(name: "CLaunchObserver"),
    .target(
      name: "LaunchObserver",
      dependencies: [
        "CLaunchObserver", "CLaunchSchema", "LaunchRecord", "LaunchSymbols", "LaunchSystem", "LaunchTrace",
        "LaunchWire",
      ]),
    // Launches programs to compare them: rounds, the gate and its self-test, searches of commits, proofs of savings.
    .target(
      name: "LaunchComparison",
      dependencies: ["LaunchAnalysis", "LaunchObserver", "LaunchSymbols", "LaunchSystem", "LaunchTrace"]),
    // Ships launch records from a machine to where they are collected.
    .target(
      name: "LaunchShipping",
      dependencies: ["CLaunchZlib", "CLaunchZstd", "LaunchRecord", "LaunchSystem", "LaunchTrace", "LaunchWire"]),
    .target(name: "CLaunchCommand"),
    .systemLibrary(name: "CLaunchYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .executableTarget(
      name: "launchprof",
      dependencies: [
        "CLaunchCommand", "CLaunchSchema", "CLaunchYAML", "LaunchRecord", "LaunchShipping", "LaunchTrace",
        "LaunchSymbols",
        "LaunchAnalysis",
        "LaunchComparison", "LaunchReport", "LaunchObserver", "LaunchHistory", "LaunchFleet", "LaunchViewer",
        "LaunchSystem", "LaunchWire",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
      ]
    ),

    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport", dependencies: ["CTestSupport", "LaunchAnalysis", "LaunchTrace"], path: "Tests/TestSupport"),
    .executableTarget(
      name: "proof-program", dependencies: ["LaunchProfiler", "CTestSupport"], path: "Tests/ProofProgram"),
    .executableTarget(
      name: "starting-program", dependencies: ["CLaunchRecorder"], path: "Tests/Programs/StartingProgram"),
    .testTarget(
      name: "ProofTests",
      dependencies: ["proof-program", "restricted", "starting-program", "CTestSupport", "LaunchTrace", "TestSupport"]),
    // Programs that the tests launch.
    .target(name: "CTestInitializer", path: "Tests/Programs/CTestInitializer"),
    .executableTarget(
      name: "instrumented-program", dependencies: ["CTestInitializer", "LaunchProfiler"],
      path: "Tests/Programs/InstrumentedProgram"),
    .executableTarget(
      name: "async-program", dependencies: ["LaunchProfiler", "LaunchTelemetry"], path: "Tests/Programs/AsyncProgram"),
    .executableTarget(
      name: "lifecycle-program", dependencies: ["LaunchLifecycle", "LaunchProfiler"],
      path: "Tests/Programs/LifecycleProgram"),
    .executableTarget(
      name: "sampled-program", dependencies: ["LaunchProfiler", "LaunchSampler"], path: "Tests/Programs/SampledProgram"),
    .executableTarget(
      name: "sampler-program", dependencies: ["CLaunchRecorder", "CLaunchSampler", "CLaunchUnwind"],
      path: "Tests/SamplerProgram"),
    .testTarget(
      name: "LaunchSamplerTests",
      dependencies: ["sampled-program", "sampler-program", "LaunchAnalysis", "LaunchTrace", "TestSupport"]),
    .executableTarget(name: "restricted", path: "Tests/Programs/Restricted"),
    .target(name: "CTestTerminal", path: "Tests/CTestTerminal"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .testTarget(name: "LaunchProfilerTests", dependencies: ["LaunchProfiler", "LaunchTelemetry", "LaunchTrace"]),
    .testTarget(name: "LaunchLifecycleTests", dependencies: ["LaunchLifecycle", "TestSupport"]),
    // Tests rules for "slower" on recorded launches: scripts/bench.
    .executableTarget(
      name: "gate-power", dependencies: ["LaunchAnalysis", "LaunchTrace"], path: "Benchmarks/GatePower"),
    // Comparisons of synthetic fleets whose truth is known.
    .executableTarget(
      name: "fleet-power", dependencies: ["LaunchAnalysis", "LaunchFleet", "TestSupport"],
      path: "Benchmarks/FleetPower"),
    .executableTarget(name: "trace-bench", dependencies: ["LaunchTrace"], path: "Tests/TraceBench"),
    // Corrupts files and reads them through the whole reader. scripts/fuzz does the same with libFuzzer.
    .target(
      name: "FuzzSupport", dependencies: ["LaunchAnalysis", "LaunchReport", "LaunchTrace"], path: "Tests/FuzzSupport"),
    .testTarget(name: "LaunchTraceTests", dependencies: ["FuzzSupport", "LaunchTrace", "TestSupport"]),
    .executableTarget(
      name: "spooling-program", dependencies: ["CTestInitializer", "LaunchProfiler", "LaunchTelemetry"],
      path: "Tests/Programs/SpoolingProgram"),
    .testTarget(
      name: "LaunchRecordTests",
      dependencies: [
        "spooling-program", "LaunchAnalysis", "LaunchRecord", "LaunchShipping", "LaunchTrace", "TestSupport",
      ]),
    .executableTarget(
      name: "shipping-program", dependencies: ["LaunchShipping"], path: "Tests/Programs/ShippingProgram"),
    .testTarget(
      name: "LaunchShippingTests",
      dependencies: ["shipping-program", "LaunchRecord", "LaunchShipping", "LaunchWire", "TestSupport"],
      exclude: ["receiver.py"]),
    .testTarget(name: "LaunchViewerTests", dependencies: ["LaunchViewer", "TestSupport"]),
    .testTarget(name: "LaunchSymbolsTests", dependencies: ["LaunchSymbols", "TestSupport"]),
    .testTarget(name: "LaunchAnalysisTests", dependencies: ["LaunchAnalysis", "TestSupport"]),
    .testTarget(name: "LaunchReportTests", dependencies: ["FuzzSupport", "LaunchReport", "TestSupport"]),
    .testTarget(name: "LaunchHistoryTests", dependencies: ["LaunchHistory", "TestSupport"]),
    .testTarget(
      name: "LaunchFleetTests",
      dependencies: [
        "CLaunchZlib", "CLaunchZstd", "LaunchAnalysis", "LaunchFleet", "LaunchRecord", "LaunchReport", "LaunchTrace",
        "TestSupport",
      ]),
    .testTarget(
      name: "LaunchObserverTests",
      dependencies: [
        "CLaunchObserver", "CTestSupport", "LaunchAnalysis", "LaunchComparison", "LaunchObserver", "LaunchSymbols",
        "LaunchSystem", "LaunchTrace", "TestSupport",
      ]),
    .testTarget(name: "LaunchComparisonTests", dependencies: ["LaunchComparison", "TestSupport"]),
    .testTarget(name: "CommandTests", dependencies: ["launchprof", "LaunchAnalysis", "LaunchSystem", "TestSupport"]),
    // These two run launchprof, but import nothing of it: so they compile beside it. RecordingTests are those of `record`.
    .target(
      name: "EndToEndSupport",
      dependencies: ["CTestSupport", "CTestTerminal", "LaunchAnalysis", "LaunchTrace", "TestSupport"],
      path: "Tests/EndToEndSupport"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "async-program", "instrumented-program", "restricted", "EndToEndSupport", "LaunchAnalysis", "LaunchTelemetry",
        "LaunchTrace", "TestSupport",
      ]),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "async-program", "instrumented-program", "lifecycle-program", "restricted", "EndToEndSupport",
        "LaunchLifecycle",
        "LaunchTelemetry", "LaunchTrace", "TestSupport",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

// libFuzzer brings its own `main`. Only scripts/fuzz builds this target.
if Context.environment["LAUNCHPROF_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz-reports", dependencies: ["FuzzSupport", "LaunchAnalysis", "LaunchTrace"], path: "Tests/Fuzzing"))
}

// Leaves out the observer, and the verbs of launchprof that launch programs. scripts/check-without-observer does the same.
if Context.environment["LAUNCHPROF_WITHOUT_OBSERVER"] != nil {
  let observing: Set<String> = ["CLaunchObserver", "LaunchObserver", "LaunchComparison"]
  func observes(_ dependency: Target.Dependency) -> Bool {
    if case .byNameItem(let name, _) = dependency { observing.contains(name) } else { false }
  }
  for target in package.targets where target.name == "launchprof" {
    target.dependencies.removeAll(where: observes)
    target.exclude.append("Launching")
    target.swiftSettings = [.define("WITHOUT_OBSERVER")]
  }
  package.targets.removeAll { observing.contains($0.name) || $0.dependencies.contains(where: observes) }
}

// Keeps one suite and what it needs, which is built sooner: CONTRIBUTING.md.
if let suite = Context.environment["LAUNCHPROF_ONLY_SUITE"] {
  var needed: [String] = [suite]
  var place = 0
  while place < needed.count {
    let target = package.targets.first { $0.name == needed[place] }
    for case .byNameItem(let name, _) in target?.dependencies ?? [] where !needed.contains(name) { needed.append(name) }
    place += 1
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
  // Does not fetch packages that no target uses.
  let used = package.targets.flatMap(\.dependencies).compactMap { dependency -> String? in
    if case .productItem(_, let package, _, _) = dependency { package } else { nil }
  }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !used.contains { location.hasSuffix("/" + $0) }
  }
}
