// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package that depends on launchprof's SwiftPM command plugin. scripts/check-plugin makes that and runs it here.
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
