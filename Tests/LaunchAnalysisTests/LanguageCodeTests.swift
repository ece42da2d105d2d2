// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

/// Generic code of a language is in the program's own file, but nobody can change it there.
struct LanguageCodeTests {
  @Test(arguments: [
    "void std::__introsort_loop<__gnu_cxx::__normal_iterator<app::Row*, std::vector<app::Row> >, long>(app::Row*, long)",
    "std::vector<int, std::allocator<int> >::push_back(int const&)",
    "std::_Function_handler<void (int), app::run()::{lambda(int)#1}>::_M_invoke(std::_Any_data const&, int&&)",
    "bool std::operator==<char>(std::string const&, char const*)", "decltype(auto) std::visit<app::Row>(app::Row&&)",
    "std::function<void (int)>::operator()(int) const",
    "core::slice::sort::stable::quicksort::quicksort", "alloc::vec::Vec<T,A>::push",
    "<alloc::collections::btree::map::IntoIter<K,V,A> as core::iter::traits::iterator::Iterator>::next",
    "<[app::Row]>::sort_by::<app::load::{closure#0}>", "<&mut F as core::ops::function::FnMut<A>>::call_mut",
    "<T as alloc::string::ToString>::to_string", "hashbrown::map::HashMap<K,V,S,A>::insert",
    "static Foundation.JSONDecoder.decode", "closure #1 () -> () in Foundation.Data.load() -> ()",
  ])
  func itIsToldByItsName(name: String) { #expect(LanguageCode.contains(name)) }

  @Test(arguments: [
    "std::vector<int> app::load<int>(std::string)", "std::ostream& operator<<(std::ostream&, app::Row const&)",
    "app::operator<(app::Row const&, app::Row const&)", "void app::each<std::function<void (int)> >(int)",
    "(anonymous namespace)::load(std::string)", "load(std::vector<int>&)", "main", "std", "<", "<std::a", "operator",
    // C++ programs have such namespaces, too.
    "core::Application::run()", "alloc::Arena::grow()",
    "<app::Row as core::fmt::Display>::fmt", "<alloc::vec::Vec<T> as app::Load>::load",
    "<app::Row as core::convert::From<alloc::string::String>>::from", "app::load::<std::string::String>",
    "closure #1 (Foundation.Data) -> () in app.load() -> ()", "(extension in app):Foundation.Data.load() -> ()",
  ])
  func theProgramsOwnCodeIsNot(name: String) { #expect(!LanguageCode.contains(name)) }

  @Test(arguments: [
    ("load(std::vector<Row>&)", "void std::__introsort_loop<Row*, long>(Row*, Row*, long)"),
    ("app::load", "core::slice::sort::stable::quicksort::quicksort"),
    (
      "app.load(Swift.String) -> ()",
      "closure #1 (inout Swift.UnsafeMutableBufferPointer<A>) -> () in Swift.UnsafeMutableBufferPointer.sort() -> ()"
    ),
  ])
  func theFunctionThatCalledItIsNamed(own: String, language: String) throws {
    let millisecond: Int64 = 1_000_000
    var launch = SampleLaunch(exit: 200 * millisecond, isInstrumented: false)
    let stack: [SampleLaunch.Frame] = ["main", .init(own), .init(language)]
    launch.samples(stack, from: 10 * millisecond, to: 50 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.mainThreadOverBudget })
    #expect(finding.subject == own.replacing("Swift.", with: ""))
    let tree = try #require(timeline.largeSampleFlame)
    let inner = try #require(tree.flags.last)
    #expect(inner.contains(.foreign))
  }
}
