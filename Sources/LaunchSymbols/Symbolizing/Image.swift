/// An executable or shared library as a trace names it.
public struct Image: Hashable, Sendable {
  /// Where it was when the program ran.
  public var path: String
  /// Hexadecimal, empty if it has none.
  public var buildID: String

  public init(path: String, buildID: String = "") {
    self.path = path
    self.buildID = buildID
  }

  var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
}
