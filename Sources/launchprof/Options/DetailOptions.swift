import ArgumentParser
import LaunchObserver

/// What is looked at more closely than by itself.
struct DetailOptions: ParsableArguments {
  enum Detail: String, ExpressibleByArgument, CaseIterable {
    /// Each library's relocation and each initialiser, by an agent that the loader loads into the program.
    case loader
    /// What threads wait for and who ends their waits, by the kernel's scheduler.
    case scheduling
    /// Each lazy global that is initialised, by probes in Swift's runtime.
    case globals
  }

  @Option(
    help: """
      Look more closely: loader (each library's relocation, each initialiser, each dlopen, by an agent in the program), \
      scheduling (what threads wait for and who ends their waits, by the kernel; as root), globals (each static let and global that is \
      initialised; as root). May be repeated.
      """)
  var detail: [Detail] = []

  var asksScheduler: Bool { detail.contains(.scheduling) }
  var watchesGlobals: Bool { detail.contains(.globals) }

  /// - Throws: `LaunchError` when the agent is not there.
  func agent() throws(LaunchError) -> LoaderAgent? { detail.contains(.loader) ? try LoaderAgent() : nil }
}
