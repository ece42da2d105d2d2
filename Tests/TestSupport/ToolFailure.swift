// SPDX-License-Identifier: Apache-2.0

/// Why an external tool that the tests compare with could not answer.
public struct ToolFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
