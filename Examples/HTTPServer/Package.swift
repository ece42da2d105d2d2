// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "HTTPServer",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "swift-launch-profiler", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "server",
      dependencies: [
        .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
        .product(name: "LaunchTelemetry", package: "swift-launch-profiler"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ]
    )
  ]
)
