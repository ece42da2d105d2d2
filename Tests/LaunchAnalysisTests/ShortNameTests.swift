// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

/// Names from the demanglers of Swift and C++, and how a report shortens them where room is short.
struct ShortNameTests {
  @Test(arguments: [
    ("notes.NoteFolder.readAll() throws -> [notes.Note]", "NoteFolder.readAll()"),
    (
      "notes.NoteFolder.(read in _E7513D7C2EAD35B414FAFDBC505DB15F)(String) throws -> notes.Note", "NoteFolder.read(_:)"
    ),
    ("static notes.Notes.run(notes.Options, at: Int) throws -> ()", "Notes.run(_:at:)"),
    (
      "closure #1 (A) throws -> B in closure #3 () throws -> () in static notes.Notes.main() -> ()",
      "closure #1 in closure #3 in Notes.main()"
    ),
    (
      "implicit closure #2 @Sendable (String) throws -> notes.Note in notes.NoteFolder.readAll() throws(notes.Failure) -> [notes.Note]",
      "implicit closure #2 in NoteFolder.readAll()"
    ),
    (
      "(extension in FoundationEssentials):StringProtocol.write<A where A1: StringProtocol>(toFile: A1, atomically: Bool, encoding: (extension in FoundationEssentials):String.Encoding) throws -> ()",
      "StringProtocol.write(toFile:atomically:encoding:)"
    ),
    (
      "Sequence.count<A where A1: Error>(where: (A.Element) throws(A1) -> Bool) throws(A1) -> Int",
      "Sequence.count(where:)"
    ),
    ("Yams.load(yaml: String) throws -> Any", "Yams.load(yaml:)"),
    ("notes.Note.title.getter : String", "Note.title.getter"),
    ("Dictionary.Index.advance(by: [String : Int]) -> ()", "Dictionary.Index.advance(by:)"),
    ("f.g(String, [String : Int]) -> ()", "f.g(_:_:)"),
    ("static notes.Note.== infix(notes.Note, notes.Note) -> Bool", "Note.==(_:_:)"),
    ("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"),
    ("(anonymous namespace)::helper(int)", "(anonymous namespace)::helper(int)"),
    ("operator<(A const&, A const&)", "operator<"), ("operator<<(A const&, int)", "operator<<"),
    ("C::operator->()", "C::operator->"), ("C::operator bool() const", "C::operator bool"),
    ("C::operator()(std::vector<int, std::allocator<int> > const&)", "C::operator()"),
    ("std::function<void (int)>::operator()(int) const", "std::function::operator()"),
    ("bool operator><int>(std::vector<int, std::allocator<int> > const&, int)", "operator>"),
    ("std::ostream& std::operator<< <char>(std::ostream&, char const*)", "std::operator<<"),
    ("operator new(unsigned long)", "operator new"), ("a::operators::run(int)", "a::operators::run"),
    ("cb(std::function<void (int)>)", "cb"), ("walk(Node const&)", "walk"), ("walk(int)", "walk(int)"),
    ("app::parser::Parser<T>::run", "app::parser::Parser::run"),
    ("app::each::<app::main::{closure#0}>", "app::each"),
    ("app::main::{closure#0}", "app::main::{closure#0}"),
    ("<app::Parser<alloc::vec::Vec<(u8, &str)>>>::run", "app::Parser::run"),
    ("<app::Parser<fn(u8) -> bool> as app::Load<u8>>::load::<u16>", "<app::Parser as app::Load>::load"),
    ("<(u8, &[app::Row<u8>]) as app::Load>::load", "<(u8, &[app::Row]) as app::Load>::load"),
  ])
  func leavesOutWhatNamesShare(_ name: String, _ short: String) { #expect(ShortName.of(name) == short) }

  @Test(arguments: [
    "", "main", "read notes", "type metadata accessor for notes.Note", "libc.so.6+0x1f", "open database (first)", "a.",
    ".", "(", "<<<<", ")", ">", "<a> b", "<>::a", "<a",
    "operator", "operator(", "a::operator", "closure #1", "closure #x in ", "f.g(", "f.g(a: ", "(in in )", "->", "a<b",
    "SELECT x FROM y WHERE (z)", "load(app.js:1:20)", "Query.load(app.js:1:20)",
  ])
  func namesOfAnotherFormStayAsTheyAre(_ name: String) {
    #expect(ShortName.of(name) == name || name.hasPrefix("f.g(") || name == "a<b" || name == "a.")
  }
}
