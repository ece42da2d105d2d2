// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
internal import LaunchSystem

/// The program `curl`, for encrypted connections. Others can see arguments, so its options are in a file without a name. Such a
/// file does not stay if a signal ends this process.
enum Curl {
  /// - Throws: `WebFailure`: `noTool` where there is no curl; else what became of the request.
  static func send(_ request: WebRequest) throws(WebFailure) -> WebResponse {
    let body = try UnnamedFile(request.body)
    // Raw, with its headers: the answer is read as one that came by a socket.
    var settings = """
      silent
      show-error
      include
      raw
      http1.1
      globoff
      suppress-connect-headers
      max-time = \(Int(request.timeout.rounded(.up)))
      url = \(quoted(request.address.description))
      request = POST
      data-binary = "@/dev/fd/3"
      user-agent = launchprof
      header = "Expect:"

      """
    for header in request.headers { settings += "header = \(quoted("\(header.name): \(header.value)"))\n" }
    let configuration = try UnnamedFile(Array(settings.utf8))
    // The user's settings (~/.curlrc) could follow redirections, or write the answer into a file.
    let run = try run(
      ["curl", "-q", "--config", "-"],
      ToolProcess.Inputs(standard: configuration.descriptor, third: body.descriptor),
      largest: WebResponse.largest(request.largestAnswer))
    // Its status for max-time.
    if run.status == 28 { throw WebFailure.timeOut(after: request.timeout) }
    guard run.status == 0 else {
      throw WebFailure(.broken, "curl ended with status \(run.status); its message is above")
    }
    guard
      let response = try WebResponse.read(run.output[...], isAtEnd: true, largestBody: request.largestAnswer)
    else { throw WebFailure(.broken, "curl gave no answer") }
    return response
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }

  private static func run(
    _ command: [String], _ inputs: ToolProcess.Inputs, largest: Int
  ) throws(WebFailure) -> ToolRun {
    do throws(ToolRun.Failure) { return try ToolRun(command, inputs: inputs, largest: largest) } catch {
      switch error {
      case .pipe: throw WebFailure(.broken, "no pipe for curl")
      case .start:
        throw WebFailure(
          .noTool, "https needs the program curl, which is not installed; install it, or use an address with http")
      case .tooLong: throw WebFailure(.broken, "the answer has no end")
      }
    }
  }
}

/// A file that only this process and its children can open, and that ends with them.
private struct UnnamedFile: ~Copyable {
  /// Open for reading, at its start.
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws(WebFailure) {
    let directory = temporaryDirectory
    var name = Array((directory + "/launchprof-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw WebFailure(.broken, "\(directory): no file can be made there") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    guard writeAll(bytes[...], to: descriptor) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw WebFailure(.broken, "\(directory): a file there cannot be written")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
#endif
