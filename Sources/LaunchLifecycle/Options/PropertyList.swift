// SPDX-License-Identifier: Apache-2.0

/// A value of a property list. Notifications contain such values, and programs keep their state in them.
public indirect enum PropertyList: Sendable, Equatable {
  case string(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(Dictionary(elements) { _, last in last })
  }

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  public var real: Double? { if case .real(let value) = self { value } else { nil } }
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  public var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
  public var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
  public var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }

  /// The entry of a dictionary; nil if the dictionary does not have the key, or if this value is not a dictionary.
  public subscript(key: String) -> PropertyList? { dictionary?[key] }
}
