// swift-tools-version: 6.1
import PackageDescription

// A package with the SwiftPM command launchprof as a dependency. scripts/check-plugin makes the latter, and runs the command here.
let package = Package(
  name: "plugin-package",
  dependencies: [
    .package(name: "swift-launch-profiler", path: "../.."), .package(path: "../../.build/launchprof-plugin"),
  ],
  targets: [
    .executableTarget(
      name: "sample", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")])
  ]
)
