import LaunchComparison
import LaunchObserver

extension TemporaryTraces {
  /// A directory for a command's own launches; without one, the command ends with its message.
  static func made() throws -> TemporaryTraces {
    do throws(LaunchError) { return try TemporaryTraces() } catch { throw fail(error, status: CommandStatus.failure) }
  }
}
