// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
internal import LaunchSystem

/// The program `curl`, for encrypted connections. Its options are in files that only this user can read, because others can see
/// arguments.
enum Curl {
  /// - Throws: `WebFailure`: `noTool` where there is no curl; else what became of the request.
  static func send(_ request: WebRequest) throws(WebFailure) -> WebResponse {
    let body = try TemporaryFile(request.body)
    defer { body.remove() }
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
      data-binary = \(quoted("@" + body.path))
      user-agent = launchprof
      header = "Expect:"

      """
    for header in request.headers { settings += "header = \(quoted("\(header.name): \(header.value)"))\n" }
    let configuration = try TemporaryFile(Array(settings.utf8))
    defer { configuration.remove() }
    // The user's settings (~/.curlrc) could follow redirections, or write the answer into a file.
    let run = try run(
      ["curl", "-q", "--config", configuration.path], largest: WebResponse.largest(request.largestAnswer))
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

  private static func run(_ command: [String], largest: Int) throws(WebFailure) -> ToolRun {
    do throws(ToolRun.Failure) { return try ToolRun(command, largest: largest) } catch {
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

/// A file of this user's.
private struct TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws(WebFailure) {
    let directory = temporaryDirectory
    var name = Array((directory + "/launchprof-XXXXXX").utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw WebFailure(.broken, "\(directory): no file can be made there") }
    path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { close(file) }
    guard writeAll(bytes[...], to: file) == 0 else {
      unlink(path)
      throw WebFailure(.broken, "\(path): cannot be written")
    }
  }

  func remove() { unlink(path) }
}
#endif
