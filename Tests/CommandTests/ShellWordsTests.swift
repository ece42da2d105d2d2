// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct ShellWordsTests {
  @Test(arguments: [
    (#"./app --flag "two words" '' "#, ["./app", "--flag", "two words", ""]),
    (#"a\ b c"d e"'f g'"#, ["a b", "cd ef g"]),
    // In double quotes, a backslash stays where it escapes nothing. In single quotes, it always does.
    (#"a "\d+ \" \$HOME \\" '\d'"#, ["a", #"\d+ " $HOME \"#, #"\d"#]),
    ("", []),
  ])
  func wordsAreThoseOfAShell(text: String, words: [String]) { #expect(ShellWords.split(text) == words) }

  @Test(arguments: [#"a "b"#, "a 'b", #"a\"#]) func whatIsNotClosedIsRefused(text: String) {
    #expect(ShellWords.split(text) == nil)
  }
}
