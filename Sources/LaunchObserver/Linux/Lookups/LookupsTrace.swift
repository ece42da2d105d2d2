// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// First look-ups as slices of the threads that made them: docs/trace-format.md, "Look-ups".
extension ThreadSlice {
  /// - Parameters:
  ///   - names: of what the process looked up; nil for another process.
  ///   - callers: names, innermost first.
  init(_ lookup: FirstLookups.Lookup, _ names: LookupNames?, callers: [String]) {
    func address(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }
    let name: String
    var values: [(key: String, value: AnnotationValue)]
    switch lookup.subject {
    case .conformance(let metadata, let descriptor):
      let type = names?.types[metadata] ?? address(metadata)
      let proto = names?.protocols[descriptor] ?? address(descriptor)
      name = "conformance \(type): \(proto)"
      values = [
        (LS_KEY_KIND, .string(LS_LOOKUP_CONFORMANCE)), (LS_KEY_TYPE, .string(type)), (LS_KEY_PROTOCOL, .string(proto)),
      ]
    case .typeName(let place, _):
      let type = names?.typeNames[place] ?? address(place)
      name = "type by name \(type)"
      values = [(LS_KEY_KIND, .string(LS_LOOKUP_TYPE_NAME)), (LS_KEY_TYPE, .string(type))]
    }
    values += [
      (LS_KEY_REPEATS, .uint(UInt64(lookup.repeats))), (LS_KEY_CALLERS, .array(callers.map(AnnotationValue.string))),
      (LS_KEY_CALLS_INSIDE, .uint(UInt64(lookup.call.callsInside))),
    ]
    self.init(lookup.call, name: name, category: LS_CATEGORY_LOOKUP, values)
  }
}
