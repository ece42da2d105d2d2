/// Why a foreign tool that the tests compare against could not answer.
public struct ToolFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
