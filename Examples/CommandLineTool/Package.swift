// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "CommandLineTool",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "swift-launch-profiler", path: "../.."),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "notes",
      dependencies: [
        "CSQLite",
        .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
        .product(name: "Yams", package: "Yams"),
      ]
    ),
  ]
)
