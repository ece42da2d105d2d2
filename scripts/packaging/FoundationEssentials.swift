// SPDX-License-Identifier: Apache-2.0

// The part of FoundationEssentials that swift-argument-parser uses. The static command is built with this module in
// place of the toolchain's, because the linker cannot drop what the toolchain's brings: docs/decisions.md, D196.

public protocol LocalizedError: Error { var errorDescription: String? { get } }

public struct Data { fileprivate let text: String }

extension String {
  public struct Encoding: Sendable { public static let utf8 = Encoding() }

  public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// Writes JSON as Foundation's encoder does with these options: indented, and sorted by key.
public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    precondition(outputFormatting == [.prettyPrinted, .sortedKeys])
    let root = Node()
    try root.set(value)
    return Data(text: root.text(indentation: ""))
  }
}

/// A value that containers fill.
private final class Node {
  private enum Content {
    case scalar(String)
    case list([Node])
    case members([String: Node])
  }

  private var content = Content.scalar("null")

  func set<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let text as String: content = .scalar(Self.quoted(text))
    case let flag as Bool: content = .scalar("\(flag)")
    case let number as any BinaryInteger: content = .scalar("\(number)")
    case let number as any BinaryFloatingPoint: content = .scalar("\(number)")
    default: try value.encode(to: NodeEncoder(node: self))
    }
  }

  func makeList() { if case .list = content {} else { content = .list([]) } }
  func makeMembers() { if case .members = content {} else { content = .members([:]) } }

  func append() -> Node {
    guard case .list(var nodes) = content else { preconditionFailure("not a list") }
    nodes.append(Node())
    content = .list(nodes)
    return nodes[nodes.count - 1]
  }

  func member(_ name: String) -> Node {
    guard case .members(var nodes) = content else { preconditionFailure("not an object") }
    let node = Node()
    nodes[name] = node
    content = .members(nodes)
    return node
  }

  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

  func text(indentation: String) -> String {
    let inner = indentation + "  "
    func block(_ first: String, _ lines: [String], _ last: String) -> String {
      "\(first)\n\(lines.map { inner + $0 }.joined(separator: ",\n"))\n\(indentation)\(last)"
    }
    return switch content {
    case .scalar(let text): text
    case .list(let nodes): block("[", nodes.map { $0.text(indentation: inner) }, "]")
    case .members(let nodes):
      block(
        "{", nodes.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)) : \($1.text(indentation: inner))" }, "}")
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "/": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ": result += "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

private struct NodeEncoder: Encoder {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.makeMembers()
    return KeyedEncodingContainer(Members<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.makeList()
    return Elements(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { _ = node.member(key.stringValue) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try node.member(key.stringValue).set(value) }
  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    NodeEncoder(node: node.member(key.stringValue)).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.member(key.stringValue)).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.member(key.stringValue)) }
}

private struct Elements: UnkeyedEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() { _ = node.append() }
  func encode<Value: Encodable>(_ value: Value) throws { try node.append().set(value) }
  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    NodeEncoder(node: node.append()).container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { NodeEncoder(node: node.append()).unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node.append()) }
}

private struct Single: SingleValueEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode<Value: Encodable>(_ value: Value) throws { try node.set(value) }
}
