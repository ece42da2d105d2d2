// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "GTKApp",
  dependencies: [.package(name: "swift-launch-profiler", path: "../..")],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "pages",
      dependencies: [
        "CGTK",
        .product(name: "LaunchLifecycle", package: "swift-launch-profiler"),
        .product(name: "LaunchProfiler", package: "swift-launch-profiler"),
      ]
    ),
  ]
)
