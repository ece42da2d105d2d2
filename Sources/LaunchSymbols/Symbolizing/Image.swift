/// An executable or shared library as a trace names it.
package struct Image: Hashable, Sendable {
  /// Where it was when the program ran.
  package var path: String
  /// Hexadecimal, empty if it has none.
  package var buildID: String

  package init(path: String, buildID: String = "") {
    self.path = path
    self.buildID = buildID
  }

  var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
}
