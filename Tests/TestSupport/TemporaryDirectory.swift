import Foundation

/// A directory of its own for a test; it goes, with all that is in it, when the last reference does.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// Makes it below `parent`, by default TMPDIR or /tmp.
  public init(in parent: String? = nil) throws {
    let parent = parent ?? Tools.environment("TMPDIR") ?? "/tmp"
    var template = Array((parent + "/launchprof-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure("no temporary directory in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// `name` in the directory.
  public func appending(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = appending(name)
    guard let stream = fopen(file, "we") else { throw ToolFailure("\(file): \(String(cString: strerror(errno)))") }
    let count = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, count == bytes.count else { throw ToolFailure("\(file): could not be written") }
    return file
  }

  /// The names in it, sorted.
  public func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
