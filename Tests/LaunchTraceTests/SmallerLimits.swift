// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// A test whose files are large beside `TraceLimits`, although they are small.
struct SmallerLimits: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TraceLimits.smaller.withValue(6) { try await function() }
  }
}

extension Trait where Self == SmallerLimits {
  static var smallerLimits: Self { Self() }
}
