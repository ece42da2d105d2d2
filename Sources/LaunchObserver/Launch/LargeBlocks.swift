internal import CLaunchObserver

/// Makes large blocks of memory go back to the system when they are freed: the tables of a large trace come and go.
/// For the beginning of a program; it holds for the whole process.
package func returnLargeBlocks() { lo_return_large_blocks() }
