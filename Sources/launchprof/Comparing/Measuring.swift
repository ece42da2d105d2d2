import ArgumentParser
import LaunchAnalysis
import LaunchTrace

/// From arguments to what is compared.
enum Measuring {
  /// What the traces that `arguments` name say.
  ///
  /// - Throws: `ExitCode` with the given status, after telling which file cannot be read and why.
  static func measurements(_ arguments: [String], status: Int32 = CommandStatus.failure) throws -> [Measurement] {
    let paths: [String]
    do throws(TraceArgumentError) { paths = try TraceArguments.resolve(arguments) } catch {
      throw fail(error, status: status)
    }
    return try measurements(of: paths)
  }

  static func measurements(of paths: [String]) throws -> [Measurement] {
    let timelines = try paths.map { path in
      do throws(TraceError) { return LaunchTimeline(trace: try TraceReader().read(path: path)) } catch {
        throw fail(error, status: CommandStatus.failure)
      }
    }
    return Measurement.all(LaunchSet(timelines, names: paths))
  }
}
