// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchSystem

/// How to determine when a program is ready.
package enum ReadyRule: Sendable, Equatable {
  /// The first that applies: a window, a listening socket, the first output, the end.
  case automatic
  /// The first byte that the program writes to its standard output.
  case output
  /// `READY=1` on `NOTIFY_SOCKET`: sd_notify(3).
  case notification
  /// A socket listens; nil for any socket of the program.
  case listening(ListeningAddress?)
  /// A window of the program is on the X or Wayland display.
  case window
  /// The program has ended.
  case exit
  /// A line of its standard output or standard error matches the regular expression.
  case match(String)
  /// A GET of this URL is answered with a status of 200 to 299.
  case answer(WebAddress)

  /// What is wrong with the text of a rule.
  package struct Mistake: Error {
    /// A sentence for people.
    package var message: String
  }

  /// The address of a listening socket.
  package enum ListeningAddress: Sendable, Equatable {
    case port(UInt16)
    /// Path of a unix socket; an abstract one begins with `@`.
    case path(String)
  }

  /// Reads a rule from the command line: `stdout`, `notify`, `listen`, `listen:8080`, `listen:/path`, `window`, `exit`,
  /// `http://127.0.0.1:8080/health`. Any other text is a regular expression.
  ///
  /// - Throws: `Mistake`, if it is neither.
  package init(_ text: String) throws(Mistake) {
    switch text {
    case "":
      throw Mistake(message: "expected stdout, notify, listen, window, exit, a URL or a regular expression")
    case LS_READY_STDOUT: self = .output
    case LS_READY_NOTIFY: self = .notification
    case LS_READY_LISTEN: self = .listening(nil)
    case LS_READY_WINDOW: self = .window
    case LS_READY_EXIT: self = .exit
    case _ where text.hasPrefix("listen:"): self = .listening(try Self.address(text.dropFirst(7)))
    case _ where Self.isWebAddress(text): self = .answer(try Self.webAddress(text))
    default:
      guard (try? Regex(text)) != nil else {
        throw Mistake(message: "is not stdout, notify, listen, window or exit, and not a regular expression")
      }
      self = .match(text)
    }
  }

  private static func address(_ text: Substring) throws(Mistake) -> ListeningAddress {
    if text.hasPrefix("/") || text.hasPrefix("@") { return .path(String(text)) }
    guard let port = UInt16(text), port > 0 else {
      throw Mistake(message: "expected a port from 1 to 65535, or the path of a unix socket")
    }
    return .port(port)
  }

  private static func isWebAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  private static func webAddress(_ text: String) throws(Mistake) -> WebAddress {
    if text.lowercased().hasPrefix("https://") {
      throw Mistake(message: "launchprof asks without TLS; name an http:// URL of the server, or use listen")
    }
    guard let address = WebAddress(text) else {
      throw Mistake(
        message:
          "is not a URL such as http://127.0.0.1:8080/health; to look for this text in the output, put it in parentheses"
      )
    }
    return address
  }

  /// Whether a background process can still fulfil the rule after the program has ended. A daemon listens, notifies or
  /// opens a window after the process that started it has ended.
  package var followsBackground: Bool {
    switch self {
    case .listening, .notification, .window, .answer: true
    case .automatic, .output, .exit, .match: false
    }
  }

  /// The name on the command line and in the trace.
  package var name: String {
    switch self {
    case .automatic: "automatic"
    case .output: LS_READY_STDOUT
    case .notification: LS_READY_NOTIFY
    case .listening: LS_READY_LISTEN
    case .window: LS_READY_WINDOW
    case .exit: LS_READY_EXIT
    case .match: LS_READY_PATTERN
    case .answer: LS_READY_HTTP
    }
  }

  /// The rule as `init(_:)` reads it.
  package var text: String {
    switch self {
    case .listening(.some): "listen:\(argument)"
    case .match(let pattern): pattern
    case .answer(let address): address.description
    default: name
    }
  }

  /// The argument of the rule: a port, a path, a pattern, a URL; empty for none. A URL has no query, which may be secret.
  package var argument: String {
    switch self {
    case .listening(.port(let port)): String(port)
    case .listening(.path(let path)): path
    case .match(let pattern): pattern
    case .answer(let address): String(address.description.prefix { $0 != "?" })
    default: ""
    }
  }
}
