// SPDX-License-Identifier: Apache-2.0

import Foundation

protocol Shape { var area: Double { get } }
struct Circle: Shape { var area = 3.0 }
struct Square: Shape { var area = 1.0 }
struct Pair<First, Second> {
  var first: First
  var second: Second
}
final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
struct Wrapped<Value> { var value: Value }

/// Hides a type from the optimiser.
@inline(never) func opaque<Value>(_ value: Value) -> Any { value }
@inline(never) func typeName<Value>(_ type: Value.Type) -> String { String(describing: type) }
@inline(never) func pair<First, Second>(_ first: First, _ second: Second) -> Any.Type { Pair<First, Second>.self }
@inline(never) func box<Value: AnyObject>(_ value: Value) -> Any { Box(value) }
@inline(never) func isShape(_ value: Any) -> Bool { value is any Shape }

/// What the language and its libraries do, without Foundation.
@MainActor let languageUses: [Use] = [
  Use(name: "`print`") { print("x") },
  Use(name: "`value is P`, the first conformance") { isShape(opaque(Circle())) },
  Use(name: "`value is P`, of a second type") { [isShape(opaque(Circle())), isShape(opaque(Square()))] },
  Use(name: "`String(describing: Type.self)`") { typeName(Wrapped<Circle>.self) },
  Use(name: "`String(describing: value)` of a struct") { String(describing: opaque(Circle())) },
  Use(name: "`Mirror(reflecting:)` and its children") { Mirror(reflecting: opaque(Circle())).children.count },
  Use(name: "a generic struct of new types") { pair(Circle(), Square()) },
  Use(name: "a generic class of a new type") { box(NSObject()) },
  Use(name: "a `Regex` literal and its first match") { (try? #/(\d+)-(\d+)/#.firstMatch(in: "12-34")) != nil },
  Use(name: "`lowercased()` of text beyond ASCII") { "ÄÖÜ".lowercased() },
  Use(name: "the first `Task`, and waiting for it") { wait {} },
  Use(name: "a task group of four") {
    wait { await withTaskGroup(of: Void.self) { group in for _ in 0..<4 { group.addTask {} } } }
  },
  Use(name: "a `DispatchQueue` of its own, `async`, and waiting") {
    let queue = DispatchQueue(label: "own")
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    done.wait()
    return queue
  },
]
