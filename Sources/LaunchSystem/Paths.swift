// SPDX-License-Identifier: Apache-2.0

/// The last component of a path. It may be one of Windows, such as `C:\a\b.dll`.
package func fileName(_ path: String) -> String {
  let bytes = path.utf8
  let isWindows = bytes.starts(with: #"\\"#.utf8) || bytes.dropFirst().starts(with: #":\"#.utf8)
  func separates(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || isWindows && byte == UInt8(ascii: "\\") }
  guard let last = bytes.lastIndex(where: { !separates($0) }) else { return path }
  let name = bytes[...last]
  return String(Substring(name[(name.lastIndex(where: separates).map(bytes.index(after:)) ?? bytes.startIndex)...]))
}

/// The extension of a file's name, in lower case without the dot; nil if it has none, as `.bashrc`.
package func fileExtension(_ path: String) -> String? {
  let name = fileName(path).dropFirst()
  return name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() }
}

/// The path without its last component and the slash before that; empty for a name without a directory.
package func directoryName(_ path: String) -> String {
  path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}

/// The absolute path without symbolic links; nil if there is no such file.
package func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// The target of a symbolic link; nil if it cannot be read.
package func linkTarget(_ path: String) -> String? {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
}

/// The absolute path of the current directory; empty if it was removed.
package func currentDirectory() -> String {
  guard let path = getcwd(nil, 0) else { return "" }
  defer { free(path) }
  return String(cString: path)
}

/// A path from the root of the file system. Nothing needs to be there.
///
/// - Throws: `FileError` if the path is relative and the current directory was removed.
package func absolutePath(_ path: String) throws(FileError) -> String {
  if path.hasPrefix("/") { return path }
  let here = currentDirectory()
  guard !here.isEmpty else {
    throw FileError(path: path, errno: ENOENT, message: "the current directory cannot be read; change to another one")
  }
  return "\(here)/\(path)"
}

/// Whether two paths lead to one file, which exists.
package func isSameFile(_ left: String, _ right: String) -> Bool {
  var (first, second) = (stat(), stat())
  return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
    && first.st_dev == second.st_dev
}

package func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

package func isRegular(_ path: String) -> Bool { kind(of: path) == S_IFREG }

/// Of what a link leads to.
private func kind(of path: String) -> mode_t? {
  var facts = stat()
  return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
}
