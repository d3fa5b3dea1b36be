#!/bin/sh
# Installs Formicary from a release: binary, completions, manual pages. `install.sh --help` shows how.
#
# Nothing is unpacked before its checksum is right. Files are unpacked beside where they belong and renamed at the end; if
# something fails meanwhile, everything is as it was before.

set -eu

releases=https://github.com/formicary/formicary/releases/latest/download

usage() {
    cat <<'TEXT'
usage: install.sh [--prefix DIR] [--from DIR|URL]

  --prefix DIR     where to install: DIR/bin, DIR/share (default: ~/.local; for everybody: /usr/local)
  --from DIR|URL   where SHA256SUMS and the archive are (default: the directory of this script if they are there,
                   else the latest release)
  --help           show this text
TEXT
}

fail() {
    printf 'install.sh: error: %s\n' "$*" >&2
    exit 1
}

# What was begun, for the way back.
stage=
download=
placed=
made=

clean_up() {
    code=$?
    trap - EXIT
    if [ "$code" != 0 ] && [ -n "$placed" ] && [ -f "$placed" ]; then
        while IFS= read -r file; do
            if [ -e "$stage/old/$file" ]; then mv -f "$stage/old/$file" "$prefix/$file"; else rm -f "$prefix/$file"; fi
        done <"$placed"
    fi
    if [ -n "$stage" ]; then rm -rf "$stage"; fi
    if [ -n "$download" ]; then rm -rf "$download"; fi
    if [ "$code" != 0 ]; then
        # Innermost first; what others put something into stays.
        printf '%s' "$made" | while IFS= read -r directory; do rmdir "$directory" 2>/dev/null || :; done
    fi
    exit "$code"
}

# make_directory DIR: makes it with all above it, and remembers which are new.
make_directory() {
    if [ -d "$1" ]; then return 0; fi
    make_directory "$(dirname "$1")" || return 1
    mkdir "$1" 2>/dev/null || return 1
    made="$1
$made"
}

need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 || fail "$tool is not installed: install it and try again"
    done
}

# fetch NAME: puts the file into $source, wherever the release is.
fetch() {
    if [ -z "$url" ]; then
        [ -f "$source/$1" ] || fail "there is no $1 in $source: give the directory of a release with --from"
    elif command -v curl >/dev/null 2>&1; then
        curl -fsL -o "$source/$1" "$url/$1" || fail "$url/$1 cannot be downloaded"
    elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$source/$1" "$url/$1" || fail "$url/$1 cannot be downloaded"
    else
        fail "neither curl nor wget is installed: install one, or download the release and give its directory with --from"
    fi
}

# choose_source: sets $source, and $url if it is to be downloaded.
choose_source() {
    url=
    if [ -z "$from" ]; then
        from=$(dirname "$0")
        if [ ! -f "$from/SHA256SUMS" ]; then from=$releases; fi
    fi
    case $from in
        *://*)
            url=${from%/}
            download=$(mktemp -d "${TMPDIR:-/tmp}/formicary-install.XXXXXX") || fail "there is no place for the download: set TMPDIR"
            source=$download
            ;;
        *) source=$from ;;
    esac
}

# verify: sets $archive, whose content is what SHA256SUMS promises.
verify() {
    fetch SHA256SUMS
    line=$(grep -E '^[0-9a-f]{64} [ *]formicary-[0-9A-Za-z.+~-]*-x86_64-linux\.tar\.gz$' "$source/SHA256SUMS" | tail -n 1) || :
    [ -n "$line" ] || fail "SHA256SUMS names no archive for x86_64 Linux"
    name=${line#* ?}
    fetch "$name"
    archive=$source/$name
    sum=$(sha256sum <"$archive")
    [ "${sum%% *}" = "${line%% *}" ] ||
        fail "the checksum of $name is wrong, so nothing was installed: download it again (expected ${line%% *}, found ${sum%% *})"
}

# unpack: into $stage, beside where the files belong, and without their owner.
unpack() {
    make_directory "$prefix" || fail "$prefix cannot be made: choose another directory with --prefix"
    stage=$(mktemp -d "$prefix/.formicary-install.XXXXXX" 2>/dev/null) ||
        fail "$prefix cannot be written: choose another directory with --prefix, or become the user who may"
    mkdir "$stage/new" "$stage/old"
    tar -xzof "$archive" -C "$stage/new" 2>"$stage/errors" || fail "$name cannot be unpacked: $(head -n 1 "$stage/errors")"
    new=$stage/new/${name%.tar.gz}
    [ -f "$new/bin/formicary" ] || fail "$name holds no bin/formicary"
}

# try_it: the binary itself shows whether it starts here.
try_it() {
    if shown=$("$new/bin/formicary" --version 2>&1); then return 0; fi
    newest=$(printf '%s\n' "$shown" | grep -oE 'GLIBC_[0-9.]+' | sort -V | tail -n 1) || :
    library=$(getconf GNU_LIBC_VERSION 2>/dev/null) ||
        fail "$name does not start here, where the C library is not glibc: build from source"
    [ -z "$newest" ] || fail "this system has $library, and $name needs glibc ${newest#GLIBC_} or newer: build from source"
    fail "$name does not start here: $(printf '%s\n' "$shown" | head -n 1)"
}

# place: looks first whether everything can go where it belongs, then renames; the binary last, so that it is never ahead of the rest.
place() {
    files=$(cd "$new" && find . -type f ! -path ./bin/formicary | sed 's|^\./||' | LC_ALL=C sort && echo bin/formicary)
    for file in $files; do
        directory=$(dirname "$prefix/$file")
        make_directory "$directory" || fail "$directory cannot be made, so nothing was installed"
        [ -w "$directory" ] || fail "$directory cannot be written, so nothing was installed"
        [ ! -d "$prefix/$file" ] || fail "$prefix/$file is a directory, so nothing was installed"
    done
    placed=$stage/placed
    for file in $files; do
        if [ -e "$prefix/$file" ]; then
            mkdir -p "$(dirname "$stage/old/$file")"
            cp -p "$prefix/$file" "$stage/old/$file"
        fi
        printf '%s\n' "$file" >>"$placed"
        mv -f "$new/$file" "$prefix/$file"
    done
}

main() {
    prefix=
    from=
    while [ $# -gt 0 ]; do
        case $1 in
            --prefix | --from)
                [ $# -ge 2 ] || fail "$1 needs a value; install.sh --help shows how"
                if [ "$1" = --prefix ]; then prefix=$2; else from=$2; fi
                shift 2
                ;;
            -h | --help) usage; exit 0 ;;
            *) fail "unknown argument $1; install.sh --help lists what there is" ;;
        esac
    done
    need uname tar gzip sha256sum mktemp grep sed find sort head tail dirname
    machine="$(uname -s) $(uname -m)"
    [ "$machine" = "Linux x86_64" ] || fail "this is $machine, and there are releases for Linux x86_64 only: build from source"
    if [ -z "$prefix" ]; then
        [ -n "${HOME:-}" ] || fail "HOME is not set: choose a directory with --prefix"
        prefix=$HOME/.local
    fi
    # What is made is for others to read, even if the caller's files are not.
    umask 022
    trap clean_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    choose_source
    verify
    unpack
    try_it
    place
    echo "installed $shown in $prefix"
    case :$PATH: in
        *":$prefix/bin:"*) echo "next: formicary doctor" ;;
        *) echo "next: $prefix/bin/formicary doctor (add $prefix/bin to PATH to call it formicary)" ;;
    esac
}

# In a function, so that a script that was cut off while it was downloaded does nothing.
main "$@"
