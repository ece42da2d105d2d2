# shellcheck shell=bash disable=SC2034
# To be sourced: finds the C compilers of this machine, its one for musl, and the compiler and emulator for the other of
# x86-64 and arm64.
native_compilers=("$(dirname "$(readlink -f "$(command -v swift)")")/clang" gcc)
musl_compiler=musl-gcc
case "$(uname -m)" in
x86_64)
  other_compiler=aarch64-linux-gnu-gcc
  other_emulator=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
  ;;
aarch64)
  other_compiler=x86_64-linux-gnu-gcc
  other_emulator=(qemu-x86_64-static -L /usr/x86_64-linux-gnu)
  ;;
*)
  echo "no C compiler is known here for the other of x86-64 and arm64 ($(uname -m))" >&2
  exit 1
  ;;
esac
