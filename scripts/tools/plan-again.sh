# shellcheck shell=bash
# To be sourced. For a package that depends on this one by its path, swift build does not notice a new or renamed source
# file of this one, and fails. A newer manifest makes it plan the build again.
plan_again() { touch "$1/Package.swift"; }
