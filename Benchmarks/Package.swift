// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Peers that come as Debian packages. scripts/bench says which ones are installed.
let installed = (Context.environment["LAUNCHPROF_BENCH_PEERS"] ?? "").split(separator: ",").map(String.init)
let hasLTTng = installed.contains("lttng-ust")
let hasMicroprofile = installed.contains("microprofile")

var recorderDependencies: [Target.Dependency] = [
  "CMeasure", "Measuring",
  .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
  .product(name: "LaunchTelemetry", package: "swift-launch-profiler"),
  .product(name: "Tracing", package: "swift-distributed-tracing"),
  .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
  .product(name: "Metrics", package: "swift-metrics"),
]
var recorderSettings: [SwiftSetting] = []
var peers: [Target] = []

if hasLTTng {
  recorderDependencies.append("CLTTngPeer")
  recorderSettings.append(.define("PEER_LTTNG"))
  peers.append(
    .target(
      name: "CLTTngPeer", cSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("lttng-ust"), .linkedLibrary("lttng-ust-common"), .linkedLibrary("dl")]))
}
if hasMicroprofile {
  recorderDependencies.append("CMicroprofilePeer")
  recorderSettings.append(.define("PEER_MICROPROFILE"))
  peers.append(
    .target(
      name: "CMicroprofilePeer", cxxSettings: [.define("MICROPROFILE_SYSTEM_STB")],
      linkerSettings: [.linkedLibrary("microprofile"), .linkedLibrary("stdc++")]))
}

let package = Package(
  name: "swift-launch-profiler-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because a clone's folder may be called anything.
    .package(name: "swift-launch-profiler", path: ".."),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
  ],
  targets: peers + [
    .target(name: "CMeasure"),
    .target(name: "Measuring", dependencies: ["CMeasure"]),
    .testTarget(name: "MeasuringTests", dependencies: ["Measuring"]),
    .executableTarget(name: "RecorderCost", dependencies: recorderDependencies, swiftSettings: recorderSettings),

    // The same program three times: with nothing linked, with this library, and with a peer.
    .executableTarget(name: "HelloPlain"),
    // Programs that are observed from outside.
    .executableTarget(name: "HelloFoundation"),
    .executableTarget(
      name: "HelloLinked", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")]),
    .executableTarget(
      name: "HelloTracing", dependencies: [.product(name: "Tracing", package: "swift-distributed-tracing")]),

    .executableTarget(
      name: "SamplerCost",
      dependencies: [
        "CMeasure", .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
        .product(name: "LaunchSampler", package: "swift-launch-profiler"),
      ]),

    .executableTarget(
      name: "MakeSlices",
      dependencies: [
        "CMeasure", .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
        .product(name: "LaunchTelemetry", package: "swift-launch-profiler"),
      ]),
    // The observer's parts, one by one.
    .target(name: "CObserverParts"),
    .executableTarget(name: "ObserverParts", dependencies: ["CObserverParts", "Measuring"]),
    .executableTarget(name: "Bench", dependencies: ["CMeasure", "Measuring"]),
  ],
  cxxLanguageStandard: .cxx17
)
