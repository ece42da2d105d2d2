// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// What is recorded in more detail than by default.
struct DetailOptions: ParsableArguments {
  enum Detail: String, ExpressibleByArgument, CaseIterable {
    /// Each library's relocation and each initialiser, by an agent that the loader loads into the program.
    case loader
    /// What threads wait for and who ends their waits, by the kernel's scheduler.
    case scheduling
    /// Stacks where perf events are not allowed, by stops.
    case stacks
    /// Each lazy global that is initialised, by probes or breakpoint instructions in Swift's runtime.
    case globals
    /// The first look-up of each conformance, and of each type by its name, by the same means.
    case conformances
    /// How often Swift's runtime casts, and makes witness tables and generic types.
    case calls
  }

  @Option(
    help: """
      Record more. May be repeated.
      loader: an agent in the program times the relocation of each library, each initialiser and each dlopen.
      scheduling: the kernel reports what threads wait for and what ends each wait; needs root.
      stacks: where perf events are not allowed, threads stop for their stack samples.
      globals: each static let and global that Swift initialises.
      conformances: the first look-up of each conformance to a protocol, and of each type by its mangled name.
      calls: how often Swift casts, and makes witness tables and generic types; needs root.
      """)
  var detail: [Detail] = []

  var stopsForStacks: Bool { detail.contains(.stacks) }
  var asksScheduler: Bool { detail.contains(.scheduling) }
  /// What is watched of Swift's runtime. It has the names of the options.
  var runtime: Set<RuntimeDetail> { Set(detail.compactMap { RuntimeDetail(rawValue: $0.rawValue) }) }

  /// - Throws: `LaunchError` if there is no agent.
  func agent() throws(LaunchError) -> LoaderAgent? { detail.contains(.loader) ? try LoaderAgent() : nil }
}
