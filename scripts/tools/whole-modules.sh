# shellcheck shell=bash disable=SC2034
# To be sourced: flags of swift build that compile each module as a whole, by one process. A complete build then takes a
# fifth less processor time. But each later change compiles its whole module again.
whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1)
# Without this, a second process parses the module once more, only to write what other modules read.
whole_modules+=(-Xswiftc -no-emit-module-separately-wmo)
