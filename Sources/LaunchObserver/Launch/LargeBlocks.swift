internal import CLaunchObserver

/// Makes freed large blocks of memory go back to the system, because the tables of a large trace are short-lived. Call
/// it at the start of a program. It applies to the whole process.
package func returnLargeBlocks() { lo_return_large_blocks() }
