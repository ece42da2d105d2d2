// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Programs that scripts/build-link-modes builds in every link mode, for ProofTests and scripts/check-linkage.
let package = Package(
  name: "LinkModes",
  platforms: [.macOS(.v13)],
  products: [.library(name: "ProfiledPlugin", type: .dynamic, targets: ["ProfiledPlugin"])],
  dependencies: [.package(name: "swift-launch-profiler", path: "../..")],
  targets: [
    .executableTarget(name: "hello"),
    .executableTarget(
      name: "hello-profiled", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")]),
    .executableTarget(
      name: "hello-hosted", dependencies: [.product(name: "LaunchLifecycle", package: "swift-launch-profiler")]),
    .target(
      name: "ProfiledPlugin", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")]),
    .executableTarget(
      name: "plugin-host", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")]),
    .target(name: "CSlowObject"),
    .systemLibrary(name: "CSlowLibrary"),
    .executableTarget(
      name: "initializers",
      dependencies: ["CSlowObject", .product(name: "LaunchProfiler", package: "swift-launch-profiler")]),
    .executableTarget(
      name: "initializers-shared",
      dependencies: [
        "CSlowObject", "CSlowLibrary", .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

if Context.environment["LINK_MODES_WITHOUT_CXX"] == nil {
  package.targets.append(
    .executableTarget(
      name: "hello-cxx", dependencies: [.product(name: "LaunchProfiler", package: "swift-launch-profiler")],
      swiftSettings: [.interoperabilityMode(.Cxx)]))
}
