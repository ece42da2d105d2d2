// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// SIGTERM or SIGINT, awaited instead of dying of them.
final class Interruption {
  private let stream: AsyncStream<Void>
  // Kept: a source that is let go is cancelled.
  private let sources: [any DispatchSourceSignal]

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.finish() }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in stream {}
  }
}
