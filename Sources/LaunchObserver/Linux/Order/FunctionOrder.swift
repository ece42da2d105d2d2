// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
package import LaunchSymbols

/// Launches a program and records which of its functions the launch touches, in the order of their first touch.
///
/// Each function has a breakpoint until it is first reached. Threads and children are followed; libraries are not.
package struct FunctionOrder: Sendable {
  /// The result of one launch.
  package struct Launch: Sendable {
    /// Indices into `functions`, in the order of their first touch.
    package var touched: [Int]
    /// The status as from waitpid(2).
    package var status: Int32
    /// Whether the time ran out, so that later functions are missing.
    package var timedOut: Bool
    /// Whether children of the program still ran at the end, so that later functions are missing.
    package var leftRunning: Bool
    /// What the program wrote.
    package var output: Output
  }

  /// An output, to compare it with that of another launch. A program may write without end, so the text is not kept.
  package struct Output: Sendable, Equatable {
    package var length: UInt64
    var hash: UInt64
  }

  package let functions: [Symbol]
  private let path: String
  private let entry: UInt64
  private let arguments: [[UInt8]]

  /// - Parameter program: a path, or a name to search in PATH.
  /// - Throws: `LaunchError` if it is not a program of this machine, or has no symbols.
  package init(program: String, arguments: [[UInt8]]) throws(LaunchError) {
    guard let path = ProgramSearch(program).firstExecutable else {
      throw LaunchError(.notFound, path: program, message: "is not a program that can be executed", errno: ENOENT)
    }
    // What root's tracer starts keeps them.
    if geteuid() != 0, let reason = Privileges.gained(by: path) {
      throw LaunchError(
        .cannotLaunch, path: path, message: "\(reason): with breakpoints, it would run without the rights of its file")
    }
    let file: ELFFile
    do { file = try ELFFile(path: path) } catch {
      throw LaunchError(.notExecutable, path: path, message: error.message, errno: error.errno)
    }
    // EM_X86_64
    guard file.machine == 62 else {
      throw LaunchError(.cannotLaunch, path: path, message: "is not for x86-64; order needs a program for x86-64")
    }
    (self.path, entry, self.arguments) = (path, file.entry, [Array(program.utf8)] + arguments)
    functions = file.functions
    guard !functions.isEmpty else {
      throw LaunchError(.cannotLaunch, path: path, message: "has no symbols: build it without -s, and do not strip it")
    }
  }

  /// Launches the program once.
  ///
  /// - Parameters:
  ///   - recording: false for a launch without breakpoints, to compare with.
  ///   - timeout: ns after which the program is ended.
  /// - Throws: `LaunchError.cannotLaunch`.
  package func launch(recording: Bool, timeout: Int64) throws(LaunchError) -> Launch {
    let list = CStringList(arguments)
    let variables = CStringList(LaunchEnvironment().entries(with: [:]))
    let addresses = recording ? functions.map(\.address) : []
    var order = [UInt32](repeating: 0, count: addresses.count)
    var request = lo_order_launch()
    request.arguments = UnsafePointer(list.pointer)
    request.environment = UnsafePointer(variables.pointer)
    (request.entry, request.count, request.timeout_ns) = (entry, addresses.count, UInt64(max(0, timeout)))
    var error: Int32 = 0
    path.withCString { program in
      addresses.withUnsafeBufferPointer { addresses in
        order.withUnsafeMutableBufferPointer { order in
          request.program = program
          (request.addresses, request.order) = (addresses.baseAddress, order.baseAddress)
          error = lo_order(&request)
        }
      }
    }
    withExtendedLifetime((list, variables)) {}
    guard error == 0 else {
      let reason = error == ENOENT ? ProcessFiles.absence : nil
      throw LaunchError(
        .cannotLaunch, path: path,
        message: "cannot be launched with breakpoints: \(reason ?? TraceRefusal.explain(error))", errno: error)
    }
    return Launch(
      touched: order[..<request.touched].map(Int.init), status: request.status, timedOut: request.timed_out,
      leftRunning: request.left_running, output: Output(length: request.output_length, hash: request.output_hash))
  }
}
