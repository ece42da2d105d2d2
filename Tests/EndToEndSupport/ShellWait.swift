// SPDX-License-Identifier: Apache-2.0

/// Shell code that waits until `condition` holds, or for ten minutes at most, so that a failed test leaves no process
/// that waits for ever.
///
/// - Parameter condition: a shell command. The default never holds, for a script that a signal is to end.
package func shellWait(until condition: String = "false") -> String {
  "i=0; until \(condition) || [ $((i += 1)) -gt 12000 ]; do sleep 0.05; done"
}
