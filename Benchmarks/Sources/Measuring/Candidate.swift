// SPDX-License-Identifier: Apache-2.0

/// An operation that is measured together with others.
public struct Candidate: Sendable {
  public enum Body: Sendable {
    case sync(@Sendable (_ count: Int) -> Void)
    case async(@Sendable (_ count: Int) async -> Void)
  }

  public let name: String
  /// How many times one burst of `body` does the operation.
  public let burst: Int
  public let body: Body
  /// Runs after every burst, outside the measured time.
  public var after: (@Sendable () -> Void)?

  public init(_ name: String, burst: Int = 1000, _ body: @escaping @Sendable (Int) -> Void) {
    self.name = name
    self.burst = burst
    self.body = .sync(body)
  }

  public init(async name: String, burst: Int = 1000, _ body: @escaping @Sendable (Int) async -> Void) {
    self.name = name
    self.burst = burst
    self.body = .async(body)
  }

  public func then(_ after: @escaping @Sendable () -> Void) -> Candidate {
    var candidate = self
    candidate.after = after
    return candidate
  }
}

/// What the rounds of one candidate took, ns per operation.
public struct Samples: Sendable {
  public var thread: [Double] = []
  public var process: [Double] = []
}
