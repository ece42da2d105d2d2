import ArgumentParser
import LaunchObserver

/// What is looked at more closely than can be done from outside.
struct DetailOptions: ParsableArguments {
  enum Detail: String, ExpressibleByArgument, CaseIterable {
    /// Each library's relocation and each initialiser, by an agent that the loader loads into the program.
    case loader
  }

  @Option(
    help:
      "Look more closely: loader (each library's relocation, each initialiser, each dlopen, by an agent in the program)."
  )
  var detail: Detail?

  /// - Throws: `LaunchError` when the agent is not there.
  func agent() throws(LaunchError) -> LoaderAgent? { detail == .loader ? try LoaderAgent() : nil }
}
