// SPDX-License-Identifier: Apache-2.0

import CGTK

/// A folder of text files: `$XDG_DATA_HOME/pages`.
struct Library: Sendable {
  private(set) var pages: [String] = []

  private static var folder: String { String(cString: g_get_user_data_dir()) + "/pages" }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What every library begins with.
  static func makeTemplates() throws {
    guard g_mkdir_with_parents(folder, 0o755) == 0 else { throw Failure(description: "\(folder) cannot be made") }
    for number in 1...200 {
      let page = "Page \(number)\n\n" + String(repeating: "A line of a page that nobody has written yet.\n", count: 40)
      guard g_file_set_contents("\(folder)/page-\(number).txt", page, -1, nil) != 0 else {
        throw Failure(description: "\(folder) cannot be written to")
      }
    }
  }

  static func open() throws -> Library {
    guard let directory = g_dir_open(folder, 0, nil) else { throw Failure(description: "\(folder) cannot be read") }
    defer { g_dir_close(directory) }
    var library = Library()
    while let name = g_dir_read_name(directory) { library.pages.append("\(folder)/" + String(cString: name)) }
    library.pages.sort()
    return library
  }

  func countWords() {
    var words = 0
    for page in pages { words += Self.content(of: page).split(whereSeparator: \.isWhitespace).count }
    tell("\(words) words")
  }

  /// The text behind a URL or a path; of a file that cannot be read, why.
  static func text(of url: String) -> String {
    let file = url.hasPrefix("/") ? g_file_new_for_path(url) : g_file_new_for_uri(url)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    guard let path = g_file_get_path(file) else { return "\(url) is no file here." }
    defer { g_free(path) }
    return content(of: String(cString: path))
  }

  private static func content(of path: String) -> String {
    var bytes: UnsafeMutablePointer<gchar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &bytes, &count, nil) != 0, let bytes else { return "\(path) cannot be read." }
    defer { g_free(bytes) }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
}

private func tell(_ text: String) {
  if getenv("G_MESSAGES_DEBUG") != nil { print(text) }
}
