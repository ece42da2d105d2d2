import Testing

@testable import LaunchSymbols

struct DemanglerTests {
  @Test(arguments: [
    ("$s4main3FooV3baryyF", "main.Foo.bar() -> ()"),
    ("$sSS", "Swift.String"),
    ("_ZN4burn4SlowC1Ev", "burn::Slow::Slow()"),
    ("_GLOBAL__sub_I__ZN4burn1sE", "static init of burn::s"),
    ("_GLOBAL__sub_I_main.cpp", "static init of main.cpp"),
  ])
  func mangledNames(mangled: String, name: String) { #expect(Demangler.demangle(mangled) == name) }

  @Test(arguments: ["main", "", "_Z", "$s", "_ZZZZ", "$s4", "printf", "_GLOBAL_OFFSET_TABLE_", "a\0b", "日本"])
  func otherNamesStay(name: String) { #expect(Demangler.demangle(name) == name) }

  @Test func longNamesStay() {
    let long = "_Z" + String(repeating: "N1a", count: 100_000)
    #expect(Demangler.demangle(long) == long)
    // Deep, but short enough to be tried: the demanglers must bear it.
    for pattern in ["_ZN1aE", "_ZP", "$s4main", "$sS", "_Z1aI"] {
      _ = Demangler.demangle(pattern + String(repeating: "P", count: 4000) + "i")
    }
  }
}
