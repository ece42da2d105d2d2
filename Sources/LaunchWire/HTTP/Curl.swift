// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc

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
    let (status, output) = try run(
      ["curl", "--config", configuration.path], largest: WebResponse.largest(request.largestAnswer))
    guard status == 0 else { throw WebFailure(.broken, "curl ended with status \(status); its message is above") }
    guard
      let response = try WebResponse.read(
        output[...], isAtEnd: true, largestBody: request.largestAnswer)
    else {
      throw WebFailure(.broken, "curl gave no answer")
    }
    return response
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }

  private static func run(
    _ command: [String], largest: Int
  ) throws(WebFailure) -> (status: Int32, output: [UInt8]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw WebFailure(.broken, "no pipe for curl", errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var (child, arguments) = (pid_t(), command.map { strdup($0) } + [nil])
    defer { for argument in arguments { free(argument) } }
    let error = posix_spawnp(&child, command[0], &actions, nil, &arguments, environ)
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw WebFailure(
        .noTool, "https needs the program curl, which is not installed; install it, or use an address with http",
        errno: error)
    }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = read(ends[0], &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      if got <= 0 || output.count > largest { break }
      output += chunk[..<got]
    }
    // Else curl waits for a reader of what is too much.
    close(ends[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if output.count > largest { throw WebFailure(.broken, "the answer has no end") }
    return (status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), output)
  }
}

/// A file of this user's, below TMPDIR or /tmp.
private struct TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws(WebFailure) {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array((directory + "/launchprof-XXXXXX").utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw WebFailure(.broken, "\(directory): no file can be made there", errno: errno) }
    path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { close(file) }
    var place = 0
    while place < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + place, bytes.count - place) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        unlink(path)
        throw WebFailure(.broken, "\(path): cannot be written", errno: errno)
      }
      place += count
    }
  }

  func remove() { unlink(path) }
}
#endif
