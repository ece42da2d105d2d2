/// A wait for a shell script. It ends when `condition` holds, and after ten minutes in any case: a test that fails leaves
/// nothing behind that waits for ever.
///
/// - Parameter condition: a shell command; by default one that never holds, for a script that a signal is to end.
func shellWait(until condition: String = "false") -> String {
  "i=0; until \(condition) || [ $((i += 1)) -gt 12000 ]; do sleep 0.05; done"
}
