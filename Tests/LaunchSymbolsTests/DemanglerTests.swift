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

  /// The number is another one in each build.
  @Test(arguments: [
    ("_ZN3foo3bazEv.llvm.123456", "foo::baz()"), ("beta.llvm.99", "beta"), ("_ZL3barf.lto_priv.0", "bar(float)"),
    ("f.__uniq.1234.llvm.99", "f"), ("alpha.constprop.0", "alpha.constprop.0"), ("a.llvm.", "a.llvm."),
    ("f.llvm.12.cold", "f.cold"),
  ])
  func namesThatLinkTimeOptimisationMadeUnique(mangled: String, name: String) {
    #expect(Demangler.demangle(mangled) == name)
  }

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

extension DemanglerTests {
  /// Names from rustc 1.95: the older scheme first. The texts are those of LLVM's demangler, without hashes.
  @Test(arguments: [
    ("_ZN1a6map_it17h0dd3b42d5c574346E", "a::map_it"),
    ("_ZN1a6parser10P$LT$T$GT$3run17hc546dee2c6504d1aE", "a::parser::P<T>::run"),
    (
      "_ZN91_$LT$a..parser..P$LT$alloc..vec..Vec$LT$$LP$u8$C$$RF$str$RP$$GT$$GT$$u20$as$u20$a..Load$GT$4load17h370edb580e757dd0E",
      "<a::parser::P<alloc::vec::Vec<(u8,&str)>> as a::Load>::load"
    ),
    ("_ZN1a4main28_$u7b$$u7b$closure$u7d$$u7d$17h0dd3b42d5c574346E.llvm.123", "a::main::{{closure}}"),
    ("_ZN1a4main17h0dd3b42d5c574346E.cold", "a::main (.cold)"), ("_ZN1a4main17h0dd3b42d5c574346E.12", "a::main"),
    // Demangled by another tool, as a name of C++.
    ("a::main::h0dd3b42d5c574346", "a::main"), ("<a::P as a::Q>::main::hfedcba9876543210", "<a::P as a::Q>::main"),
    // Of C++: the last part is no hash.
    ("_ZN1a4main17h0dd3b42d5c57434xE", "a::main::h0dd3b42d5c57434x"),
    ("_RINvCs6xxl1lAjzDf_1a6map_itNCNvB2_4main0EB2_", "a::map_it::<a::main::{closure#0}>"),
    (
      "_RNvMNtCs6xxl1lAjzDf_1a6parserINtB2_1PINtNtCslNYArtu3iFV_5alloc3vec3VecThReEEE3runB4_",
      "<a::parser::P<alloc::vec::Vec<(u8, &str)>>>::run"
    ),
    (
      "_RNvXCs6xxl1lAjzDf_1aINtNtB2_6parser1PINtNtCslNYArtu3iFV_5alloc3vec3VecThReEEENtB2_4Load4load.llvm.77",
      "<a::parser::P<alloc::vec::Vec<(u8, &str)>> as a::Load>::load"
    ),
    ("_RINvC1u1gAFEuj3_EB2_", "u::g::<[fn(); 3]>"), ("_RINvC1u1gKln7_Kb1_Kce9_E", "u::g::<-7, true, 'é'>"),
    ("_RNvNtCsayYDP3hoOQQ_1uu9gre_6ka8iu16hhe__5qa1516mo4b", "u::größe::höhe_日本"),
    ("_RINvC1u1gDG_INtC1c2FnTRL0_hEEp6OutputRL0_hEL_E", "u::g::<dyn for<'a> c::Fn<(&'a u8,), Output = &'a u8>>"),
    ("_RINvC1u1gFUKCPhvEzE", "u::g::<unsafe extern \"C\" fn(*const u8, ...) -> !>"),
  ])
  func namesOfRust(mangled: String, name: String) { #expect(Demangler.demangle(mangled) == name) }

  @Test(arguments: [
    "_R", "_RNv", "_RC", "_RC9a", "_R0C1a", "_RNvC1a1bxyz", "_RB_", "_RNvB0_1a", "_RC1-", "_RCs_", "_RIC1aKl_",
    "_Reset", "_RMC1aRL9_h", "_RC18446744073709551616a", "_RCszzzzzzzzzzzzzzzz_1a",
    "h0dd3b42d5c574346", "::h0dd3b42d5c574346", "a:h0dd3b42d5c574346", "a::h0dd3b42d5c57434", "a::h0dd3b42d5c57434x",
  ])
  func whatIsNoNameOfRustStays(name: String) { #expect(Demangler.demangle(name) == name) }

  /// Each part refers twice to the one before it, so the text would double each time.
  @Test func referencesBackDoNotGrowWithoutEnd() {
    var name = "INvC1a1b"
    var last = name.utf8.count
    name += "TuuE"
    for _ in 0..<60 {
      let place = "B\(base62(last - 1))_"
      last = name.utf8.count
      name += "T\(place)\(place)E"
    }
    let mangled = "_R\(name)E"
    #expect(Demangler.demangle(mangled) == mangled)
    for tag in ["NvC1a", "IC1a", "YS", "TT", "MC1a", "RR", "B_", "FF"] {
      _ = Demangler.demangle("_R" + String(repeating: tag, count: 2_000))
    }
  }

  private func base62(_ value: Int) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return (value < 62 ? "" : base62(value / 62)) + String(digits[value % 62])
  }
}
