import ArgumentParser

@main
struct LaunchprofCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "launchprof")
}
