# shellcheck shell=bash
# Sourced by the scripts: other systems below .build/roots, to run something in. They are kept.
[ "$(id -u)" = 0 ] || { echo "${0##*/} makes systems to run in: it needs root" >&2; exit 1; }
roots=$PWD/.build/roots
mkdir -p "$roots"

# in_root ROOT COMMAND…: runs the command with its own processes and mounts, which end with it.
in_root() {
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1; shift
    mount --make-rprivate /
    mkdir -p "$root"/{proc,sys,dev,tmp}
    mount -t proc proc "$root/proc"; mount -t sysfs sysfs "$root/sys"; mount --rbind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
  ' - "$@"
}

# debian SUITE MIRROR: makes a system without launchprof.
debian() {
  [ -e "$roots/$1.made" ] && return
  rm -rf "${roots:?}/$1"
  local signed=()
  # Debian has no package with Ubuntu's keys.
  [[ $1 = jammy && ! -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]] && signed=(--no-check-gpg)
  debootstrap "${signed[@]}" --variant=minbase "$1" "$roots/$1" >"$roots/$1.log" 2>&1 || {
    echo "cannot make the system $1: see $roots/$1.log" >&2
    exit 1
  }
  touch "$roots/$1.made"
}
