// SPDX-License-Identifier: Apache-2.0

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
    // Deeply nested, but short enough for the demanglers to try. They must survive it.
    for pattern in ["_ZN1aE", "_ZP", "$s4main", "$sS", "_Z1aI"] {
      _ = Demangler.demangle(pattern + String(repeating: "P", count: 4000) + "i")
    }
  }
}

extension DemanglerTests {
  @Test(
    arguments: [
      ("$s4Yams8ResolverC4RuleV5merge_WZ", "Yams.Resolver.Rule.merge"),
      ("$s10launchprof11BudgetsFileV5kinds33_31C00518A8B05C29FFB4AE27441FA88FLL_WZ", "launchprof.BudgetsFile.kinds"),
      ("$s4Yams8ResolverC4RuleV5mergeAEvau", nil), ("_ZN4burn4SlowC1Ev", nil), ("_WZ", nil), ("$s_WZ", nil),
    ] as [(String, String?)])
  func variablesThatAreInitialisedLate(mangled: String, name: String?) {
    #expect(Demangler.lazyGlobal(mangled) == name)
  }
}
