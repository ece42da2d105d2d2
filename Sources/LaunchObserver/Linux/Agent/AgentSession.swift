// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// One launch with the agent.
struct AgentSession: ~Copyable {
  /// The agent's result.
  struct Result {
    /// nil if the agent was not loaded into the program.
    var log: AgentLog?
    /// Path of the program that the process executed last.
    var program: String
    /// What is missing and why, for people; empty if nothing is missing.
    var shortcoming = ""
  }

  private let agent: LoaderAgent
  private let file: AgentFile
  private let environment: LaunchEnvironment

  /// - Throws: `LaunchError.cannotWrite`.
  init(_ agent: LoaderAgent, file path: String, environment: LaunchEnvironment) throws(LaunchError) {
    let file = try AgentFile(path: path)
    self.agent = agent
    self.file = file
    self.environment = environment
  }

  func apply(to request: inout LaunchRequest) {
    let others = environment["LD_AUDIT"].map { ":" + $0 } ?? ""
    request.environment["LD_AUDIT"] = agent.path + others
    request.environment[LaunchVariable.agentFile] = file.path
  }

  func log(of result: LaunchResult, _ observed: ObservedLaunch?, images: ImageCache) -> Result {
    let log = file.read()
    let program = observed?.images.last?.path ?? result.path
    guard log.processID == result.processID, !log.programs.isEmpty else {
      return Result(
        log: nil, program: program, shortcoming: LoaderAgent.explainSilence(of: result.path, images: images))
    }
    var missing: [String] = []
    if log.untimed > 0 { missing.append("\(log.untimed) libraries could not be timed") }
    if log.lost > 0 { missing.append("\(log.lost) records of the agent were lost, because its file was full") }
    return Result(log: log, program: realPath(program) ?? program, shortcoming: missing.joined(separator: "; "))
  }
}
