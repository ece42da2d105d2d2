// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "ServiceServer",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "swift-launch-profiler", path: "../.."),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "service-server",
      dependencies: [
        .product(name: "LaunchLifecycle", package: "swift-launch-profiler"),
        .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    )
  ]
)
