// swift-tools-version: 6.1
import PackageDescription

// A package that has launchprof as a dependency: scripts/check-plugin runs its command there.
let package = Package(
  name: "plugin-package",
  dependencies: [.package(name: "swift-launch-profiler", path: "../..", traits: ["Command"])],
  targets: [
    .executableTarget(
      name: "sample", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")])
  ]
)
