# shellcheck shell=bash disable=SC2034
# To be sourced: flags of swift build that compile each module as a whole, by one process. A complete build then takes a
# fifth less processor time. But each later change compiles its whole module again.
whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1)
# Without this, a second process parses the module once more, only to write what other modules read.
whole_modules+=(-Xswiftc -no-emit-module-separately-wmo)
# Lines of functions are debug information enough for tests, and less of it is built faster.
whole_modules+=(-Xswiftc -gline-tables-only)
# Nothing reads the index of the standard library, which is larger than that of the package. SwiftPM finds tests of XCTest
# in the index, so the package's own stays.
whole_modules+=(-Xswiftc -index-ignore-system-modules)
