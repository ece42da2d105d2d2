// SPDX-License-Identifier: Apache-2.0

import Foundation

// Without an argument, the number of things; with one, what the first and the second use of that thing cost, ns. A process
// measures one thing only, since many share what they need.
let uses = languageUses + foundationUses
let output = dup(1)
// What `print` writes is none of the result.
dup2(open("/dev/null", O_WRONLY), 1)

func say(_ text: String) { _ = (text + "\n").withCString { write(output, $0, strlen($0)) } }

if CommandLine.arguments.count > 1, let row = Int(CommandLine.arguments[1]), uses.indices.contains(row) {
  let time = uses[row].measure()
  say("\(uses[row].name)\t\(time.first)\t\(time.second)")
} else {
  say("\(uses.count)")
}
