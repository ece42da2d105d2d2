# shellcheck shell=bash disable=SC2034
# Sourced by the scripts: what this machine needs, and how to get it.

# require_swift: a Swift toolchain of version 6.1 or later, or a message that says how to get one.
require_swift() {
  local said version
  # Of a missing or broken toolchain, the status would end the caller.
  said=$(swift --version 2>&1) || true
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$said" | head -n 1)
  if [ -n "$version" ] && [ "$(printf '6.1\n%s\n' "$version" | sort -V | head -n 1)" = 6.1 ]; then return; fi
  cat >&2 <<END
This needs a Swift toolchain of version 6.1 or later. Here, swift --version says: ${said:-nothing}
To get one, see
https://www.swift.org/install/linux, in short:
  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz
  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init
END
  exit 1
}

# may_install: whether this machine lets us install packages.
may_install() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }

# require_packages NAME…: Debian packages, installed when we may, else the one command to run is printed.
require_packages() {
  command -v dpkg-query >/dev/null || {
    echo "not a Debian system: the build needs what Debian calls $*" >&2
    return
  }
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -q '^installed$' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  # The parent may ignore SIGCHLD. Then apt-get would not see the ends of its children.
  local apt=(env --default-signal=CHLD DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120)
  local install=(install -y --no-install-recommends "${missing[@]}")
  local sudo=
  if [ "$(id -u)" != 0 ]; then
    sudo='sudo '
    apt=(sudo "${apt[@]}")
  fi
  if may_install; then
    echo "installing ${missing[*]}"
    "${apt[@]}" update -q && "${apt[@]}" "${install[@]}" && return
  fi
  echo "Debian packages are missing. Run this, and then this script again:" >&2
  echo "  ${sudo}apt-get update && ${sudo}apt-get ${install[*]}" >&2
  exit 1
}

# What building the package needs.
build_packages=(zlib1g-dev libzstd-dev libunwind-dev libsqlite3-dev libyaml-dev pkg-config)
# What the static command links besides: scripts/build-command.
static_packages=(binutils libxcb1-dev libxau-dev libxdmcp-dev)
# What the steps of scripts/test run in: scripts/tools/limited.
step_packages=(python3)
# What Examples/GTKApp needs besides.
example_packages=(libgtk-4-dev)
# What the tests need besides; among it a C compiler and an emulator for the other of x86-64 and arm64.
case "$(uname -m)" in
aarch64) cross_packages=(gcc-x86-64-linux-gnu libc6-dev-amd64-cross) ;;
*) cross_packages=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross) ;;
esac
test_packages=(python3-venv python3-yaml curl zstd binutils gcc libc6-dev musl-tools qemu-user-static xvfb x11-apps dbus-daemon
  libglib2.0-bin valgrind cage xwayland locales procps node-typescript chromium-headless-shell firefox-esr
  fonts-dejavu-core shellcheck yamllint flake8 "${cross_packages[@]}")
# What Spark needs: scripts/check-engines.
engine_packages=(default-jre-headless procps)
# Tools that the benchmarks put beside ours.
observer_peers=(strace linux-perf ltrace uftrace)
# What a toolchain of swift.org needs of a Debian system.
toolchain_packages=(binutils ca-certificates g++ gcc git libc6-dev libcurl4 libedit2 libncurses6 libpython3-dev libsqlite3-0
  libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata unzip util-linux zlib1g-dev)
