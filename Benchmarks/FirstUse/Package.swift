// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// What the first use of things costs a program: scripts/bench-first-use, docs/swift-at-launch.md. It depends on nothing of this
// repository, so that it builds in seconds.
let package = Package(
  name: "FirstUse",
  platforms: [.macOS(.v13)],
  targets: [.executableTarget(name: "first-use")]
)
