// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A test's own directory. It and its contents are removed with the last reference.
public final class TemporaryDirectory: Sendable {
  public let path: String
  private let keepsTraces: Bool

  /// Where the tests keep their traces for a final check of all of them (see ProofTests/KeptTraceTests).
  public static let keptTraces = PackageRoot.appending(".build/kept-traces")

  /// Creates the directory below `parent`, by default TMPDIR or /tmp.
  ///
  /// - Parameter keepsTraces: move its `.pftrace` files, which must all be sound, to `keptTraces` when it is removed.
  ///   Empty files are not kept.
  public init(in parent: String? = nil, keepsTraces: Bool = false) throws {
    self.keepsTraces = keepsTraces
    let parent = parent ?? Tools.environment("TMPDIR") ?? "/tmp"
    var template = Array((parent + "/launchprof-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure("no temporary directory in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    if keepsTraces { keepTraces() }
    try? FileManager.default.removeItem(atPath: path)
  }

  private func keepTraces() {
    let manager = FileManager.default
    try? manager.createDirectory(atPath: Self.keptTraces, withIntermediateDirectories: true)
    let owner = path.split(separator: "/").last ?? ""
    for name in (try? contents()) ?? [] where name.hasSuffix(".pftrace") && isFileWithContent(name) {
      // Between two file systems this copies, and KeptTraceTests must not read a part of a file meanwhile.
      let kept = "\(Self.keptTraces)/\(owner)-\(name)"
      try? manager.moveItem(atPath: appending(name), toPath: kept + ".part")
      try? manager.moveItem(atPath: kept + ".part", toPath: kept)
    }
  }

  /// False for a link, which would be moved without the file that it names.
  private func isFileWithContent(_ name: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: appending(name))
    return attributes?[.type] as? FileAttributeType == .typeRegular && attributes?[.size] as? Int != 0
  }

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

  /// The content of a file.
  public func bytes(_ name: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: appending(name)) else {
      throw ToolFailure("\(appending(name)): cannot be read")
    }
    return Array(data)
  }

  /// The names in it, sorted.
  public func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
