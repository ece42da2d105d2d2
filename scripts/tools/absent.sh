# shellcheck shell=bash
# To be sourced by checks that look for what must not be there.

# absent [OPTION…] PATTERN [FILE…]: passes if grep finds nothing, and prints what it finds. `! grep` would also pass if
# grep is missing, or cannot read a file.
absent() {
  local status=0
  grep "$@" || status=$?
  case $status in
  0) return 1 ;;
  1) return 0 ;;
  *) echo "grep $* failed" >&2; return "$status" ;;
  esac
}
