// SPDX-License-Identifier: Apache-2.0

import CLaunchYAML

/// Reads a YAML document as a tree, from the events of libyaml.
///
/// An alias stands for the same value as its anchor, and counts as all the values in it. So a small text cannot become a
/// large tree. Tags are ignored.
struct YAMLReader: ~Copyable {
  /// The values and levels that a document may have.
  private static let (mostValues, mostLevels) = (100_000, 64)

  private let bytes: UnsafeBufferPointer<UInt8>
  // It contains pointers to itself.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var anchors: [String: YAMLNode] = [:]
  private var values = 0

  /// - Returns: nil for a text without a document.
  static func document(_ text: String) throws(YAMLError) -> YAMLNode? {
    // Some editors begin a file with a byte order mark. libyaml counts it as a column, so the next lines are indented less.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.utf8.starts(with: mark) ? Array(text.utf8.dropFirst(mark.count)) : Array(text.utf8)
    return try text.withUnsafeBufferPointer { bytes throws(YAMLError) in
      var reader = YAMLReader(bytes)
      return try reader.document()
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    parser = .allocate(capacity: 1)
    // Fails only without memory, and then each event does.
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private mutating func document() throws(YAMLError) -> YAMLNode? {
    while true {
      let event = try next()
      switch event.kind {
      case .streamEnd: return nil
      case .mark: continue
      default:
        let root = try node(event, level: 1)
        // The end of the document.
        _ = try next()
        let rest = try next()
        guard case .streamEnd = rest.kind else {
          throw YAMLError(place: rest.place, message: "a second document begins here; only one is read")
        }
        return root
      }
    }
  }

  // MARK: Values

  private mutating func node(_ event: Event, level: Int) throws(YAMLError) -> YAMLNode {
    guard level <= Self.mostLevels else {
      throw YAMLError(place: event.place, message: "more than \(Self.mostLevels) levels are nested here")
    }
    let content: YAMLNode.Content
    switch event.kind {
    case .alias(let name):
      guard let node = anchors[name] else {
        throw YAMLError(place: event.place, message: "is not YAML: no anchor &\(shown(name)) comes before this alias")
      }
      try count(node.size, event.place)
      return node
    case .scalar(let text): content = .scalar(text)
    case .sequence: content = .sequence(try elements(level))
    case .mapping: content = .mapping(try entries(level))
    case .end, .mark, .streamEnd: throw YAMLError(place: event.place, message: "is not YAML: expected a value")
    }
    try count(1, event.place)
    let node = YAMLNode(content, at: event.place)
    if let anchor = event.anchor { anchors[anchor] = node }
    return node
  }

  private mutating func elements(_ level: Int) throws(YAMLError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while true {
      let event = try next()
      if case .end = event.kind { return nodes }
      nodes.append(try node(event, level: level + 1))
    }
  }

  private mutating func entries(_ level: Int) throws(YAMLError) -> [(key: YAMLNode, value: YAMLNode)] {
    var entries: [(key: YAMLNode, value: YAMLNode)] = []
    var known: Set<String> = []
    while true {
      let event = try next()
      if case .end = event.kind { return entries }
      let key = try node(event, level: level + 1)
      if case .scalar(let text) = key.content, !known.insert(text).inserted {
        throw YAMLError(place: event.place, message: "the key \(shown(text)) appears twice")
      }
      entries.append((key, try node(try next(), level: level + 1)))
    }
  }

  private mutating func count(_ added: Int, _ place: YAMLPlace) throws(YAMLError) {
    values += added
    guard values <= Self.mostValues else {
      throw YAMLError(place: place, message: "more than \(Self.mostValues) values; is it the right file?")
    }
  }

  // MARK: Events

  private struct Event {
    enum Kind {
      case scalar(String)
      case alias(String)
      case sequence, mapping
      /// Of a list or a mapping.
      case end
      /// The beginning or end of a document, or the beginning of the stream.
      case mark
      case streamEnd
    }

    var kind: Kind
    var anchor: String?
    var place: YAMLPlace
  }

  private mutating func next() throws(YAMLError) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
    defer { yaml_event_delete(&event) }
    let place = YAMLPlace(event.start_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return Event(kind: .scalar(text), anchor: name(scalar.anchor), place: place)
    case YAML_ALIAS_EVENT: return Event(kind: .alias(name(event.data.alias.anchor) ?? ""), place: place)
    case YAML_SEQUENCE_START_EVENT:
      return Event(kind: .sequence, anchor: name(event.data.sequence_start.anchor), place: place)
    case YAML_MAPPING_START_EVENT:
      return Event(kind: .mapping, anchor: name(event.data.mapping_start.anchor), place: place)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(kind: .end, place: place)
    // libyaml repeats no event after the end of the stream.
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return Event(kind: .streamEnd, place: place)
    default: return Event(kind: .mark, place: place)
    }
  }

  private func name(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? { text.map { String(cString: $0) } }

  /// The error that libyaml has found.
  private var failure: YAMLError {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "not enough memory"
    let place =
      parser.pointee.error == YAML_READER_ERROR
      ? YAMLPlace(behind: bytes.prefix(parser.pointee.problem_offset)) : YAMLPlace(parser.pointee.problem_mark)
    return YAMLError(place: place, message: "is not YAML: \(problem)")
  }
}

extension YAMLPlace {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }

  fileprivate init(behind text: Slice<UnsafeBufferPointer<UInt8>>) {
    let line = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Continuation bytes belong to the character before.
    self.init(line: line.count, column: 1 + (line.last?.count { $0 & 0xc0 != 0x80 } ?? 0))
  }
}
