// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchSymbols

/// Names from the Swift 6 compiler.
struct FunctionNameTests {
  @Test(arguments: [
    ("$s1a5otherySiSiYaF", "a.other(Int) async -> Int", FunctionName.Role.function),
    ("$s1a5otherySiSiYaFTQ1_", "a.other(Int) async -> Int", .resumption),
    ("$s1a5otherySiSiYaFTY0_", "a.other(Int) async -> Int", .resumption),
    ("$s1a3AppV4mainyyYaKFZTQ0_", "static a.App.main() async throws -> ()", .resumption),
    ("$s1a1CCAA1PA2aDP2goyS2iYaKFTW", "a.P.go(Int) async throws -> Int", .thunk),
    ("$s1a1CCAA1PA2aDP2goyS2iYaKFTWTQ0_", "a.P.go(Int) async throws -> Int", .thunk),
  ])
  func manglings(mangled: String, text: String, role: FunctionName.Role) {
    let name = FunctionName(Demangler.demangle(mangled))
    #expect(name.text == text)
    #expect(name.role == role)
  }

  @Test(arguments: [
    ("Swift.Array.append(A) -> ()", true), ("closure #1 () -> () in static Swift.Int.f() -> ()", true),
    ("Swift.(print in _E7513D7C2EAD35B414FAFDBC505DB15F)() -> ()", true),
    ("app.(f in _E7513D7C2EAD35B414FAFDBC505DB15F)() -> ()", false), ("(extension in app):Swift.Int.f() -> ()", false),
  ])
  func ofTheStandardLibrary(name: String, isOfIt: Bool) { #expect(FunctionName(name).isOfStandardLibrary == isOfIt) }

  @Test(arguments: [
    ("main", "main", FunctionName.Role.function),
    ("", "", .function),
    ("operator new(unsigned long)", "operator new(unsigned long)", .function),
    ("burn::Slow<int>::run(int)", "burn::Slow<int>::run(int)", .function),
    (
      "partial apply forwarder for closure #1 (Swift.Int) -> Swift.Int in a.f() -> ()",
      "closure #1 (Int) -> Int in a.f() -> ()", .thunk
    ),
    (
      "(1) await resume partial function for partial apply forwarder for closure #2 () async -> Swift.Int in a.f() -> ()",
      "closure #2 () async -> Int in a.f() -> ()", .thunk
    ),
    (
      "generic specialization <Swift.Int, Swift.Array<(Swift.Int) -> ()>> of Swift.Set.insert(A) -> ()",
      "Set.insert(A) -> ()", .function
    ),
    (
      "function signature specialization <Arg[0] = Dead> of static a.App.main() async throws -> ()",
      "static a.App.main() async throws -> ()", .function
    ),
    (
      "(2) suspend resume partial function for function signature specialization <Arg[0] = Dead> of a.f() async -> ()",
      "a.f() async -> ()", .resumption
    ),
    (
      "reabstraction thunk helper <A> from @escaping () -> (@out A) to @escaping () -> (A)", "reabstraction thunk",
      .reabstraction
    ),
    (
      "partial apply forwarder for reabstraction thunk helper from () -> () to () -> () with unmangled suffix \".28TQ0_\"",
      "reabstraction thunk", .reabstraction
    ),
    (
      "(extension in Swift):Swift.Sequence.map<A>((A) -> Swift.Bool) -> [A]", "Sequence.map<A>((A) -> Bool) -> [A]",
      .function
    ),
    (
      "static Swift.Int.== infix(Swift.Int, Swift.Int) -> Swift.Bool", "static Int.== infix(Int, Int) -> Bool",
      .function
    ),
    ("MySwift.Thing.run(_Swift.A)", "MySwift.Thing.run(_Swift.A)", .function),
    // Not the patterns that they begin like.
    ("(1) and more", "(1) and more", .function), ("(", "(", .function),
    ("generic specialization <a", "generic specialization <a", .function),
  ])
  func texts(demangled: String, text: String, role: FunctionName.Role) {
    let name = FunctionName(demangled)
    #expect(name.text == text)
    #expect(name.role == role)
    #expect(name.isThunk == (role == .thunk || role == .reabstraction))
  }

  /// A type may be private to a file, also that of a closure's parameter. The `in` of its name leads to no function.
  @Test(arguments: [
    ("closure #1 (app.(Config in _ID)) -> Swift.Int in app.Loader.load() -> ()", "app.Loader.load() -> ()"),
    ("app.(load in _ID)() -> ()", "app.(load in _ID)() -> ()"),
    ("closure #1 in app.(load in _ID)() -> ()", "app.(load in _ID)() -> ()"),
    ("closure #1 in (extension in app):Swift.Int.f in b", "(extension in app):Swift.Int.f in b"),
  ])
  func theFunctionAroundAClosureIsFound(name: String, outermost: String) {
    let (name, outermost) = (named(name), named(outermost))
    #expect(FunctionName.outermost(name[...]) == outermost)
    func named(_ text: String) -> String { text.replacing("_ID", with: "_7150DC16DCA32CE62DF49F319FB1ECB1") }
  }

  /// Each wrapper is searched for in the rest of the name.
  @Test func veryLongNamesAreNotChanged() {
    let name = String(repeating: "merged ", count: 2_000) + "f"
    #expect(FunctionName(name).text == name)
    #expect(FunctionName(String(name.suffix(701))).text == "f")
  }
}
