# shellcheck shell=bash
# What the scripts here share. To be sourced, after: set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$scripts")
server_target=$root/raft-lock-server/target
examples_target=$root/examples/target
benchmarks_target=$root/benchmarks/target
min_java=17

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# --- Java and Maven -------------------------------------------------------------------------------

# Prints the major version of the JDK at that home, or 0 if there is none.
jdk_version() {
    local text
    [[ -x $1/bin/java ]] || { echo 0; return; }
    text=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    echo "${text:-0}"
}

# Sets JAVA_HOME and java_version to a Java that is new enough; its bin has the program named.
# JAVA_HOME goes before the PATH, and the PATH before what lies in the usual place.
find_java() {
    local program=$1 home on_path
    on_path=$(command -v "$program" || true)
    if [[ -n $on_path ]]; then
        on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
    fi
    for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
        if [[ -n $home && -x $home/bin/$program ]]; then
            java_version=$(jdk_version "$home")
            if ((java_version >= min_java)); then
                export JAVA_HOME=$home
                return 0
            fi
        fi
    done
    return 1
}

# Installs packages if this user may and the system has apt.
install_with_apt() {
    [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null || return 1
    say "Installing with apt: $*"
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

update_apt() {
    [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null || return 1
    apt-get -qq update >/dev/null
}

# Finds what a build needs, and installs it where it is missing and that is possible.
require_build_tools() {
    local jdk=openjdk-17-jdk-headless updated=false
    if ! find_java javac; then
        update_apt && updated=true
        apt-cache show "$jdk" >/dev/null 2>&1 || jdk=default-jdk-headless
        install_with_apt "$jdk" || true
        find_java javac || fail "needs a JDK $min_java or newer:" \
            "install one (apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
    fi
    if ! command -v mvn >/dev/null; then
        $updated || update_apt || true
        install_with_apt maven || true
        command -v mvn >/dev/null || fail "needs Maven 3.8.6 or newer:" \
            "install it (apt-get install maven) and have mvn on the PATH"
    fi
}

# Finds what faults are made with, and installs it where it is missing and that is possible. What is
# missing then makes the chaos tests leave faults out, and say so.
require_chaos_tools() {
    local missing=()
    command -v gcc >/dev/null || missing+=(gcc libc6-dev)
    command -v nft >/dev/null || missing+=(nftables)
    command -v ip >/dev/null || missing+=(iproute2)
    command -v losetup >/dev/null || missing+=(mount)
    command -v mkfs.ext4 >/dev/null || missing+=(e2fsprogs)
    if ((${#missing[@]} > 0)); then
        update_apt || true
        install_with_apt "${missing[@]}" || say "Not installed: ${missing[*]}"
    fi
}

# Java alone, for what is built already.
require_java() {
    find_java java || fail "needs Java $min_java or newer:" \
        "install it (apt-get install openjdk-17-jre-headless) or set JAVA_HOME"
}

# --- The build ------------------------------------------------------------------------------------

# Prints the jar of a module, if it is built.
jar_of() {
    local target=$1 name=$2 jar
    for jar in "$target/$name"-*.jar; do
        case $jar in
            *-sources.jar | *-javadoc.jar | *-tests.jar) ;;
            *)
                if [[ -f $jar && -d $target/lib ]]; then
                    printf '%s\n' "$jar"
                    return 0
                fi
                ;;
        esac
    done
    return 1
}

# Whether a jar, or a build that found nothing to do for it, is newer than all it is made of.
is_current() {
    local mark=$1 stamp=$2
    shift 2
    [[ ! $stamp -nt $mark ]] || mark=$stamp
    [[ -z $(find "$@" -newer "$mark" -print -quit) ]]
}

is_built() {
    local jar
    local common=("$root/pom.xml" "$root/raft-lock-client/pom.xml" "$root/raft-lock-client/src/main")
    jar=$(jar_of "$server_target" raft-lock-server) &&
        is_current "$jar" "$server_target/.built" "${common[@]}" \
            "$root/raft-lock-server/pom.xml" "$root/raft-lock-server/src/main" || return 1
    jar=$(jar_of "$examples_target" raft-lock-examples) &&
        is_current "$jar" "$server_target/.built" "${common[@]}" \
            "$root/examples/pom.xml" "$root/examples/src/main"
}

# Builds modules with what they depend on; the stamp in the target folder says when that began.
build() {
    local target=$1 modules=$2
    require_build_tools
    say "Building $modules (the first time takes a few minutes: Maven fetches what it needs) ..."
    mkdir -p "$target"
    touch "$target/.building"
    (cd "$root" && mvn -B -ntp -q -DskipTests -pl "$modules" -am package) ||
        fail "the build failed: see above"
    mv "$target/.building" "$target/.built"
}

# Builds the node and the examples if they are missing or older than their sources.
build_if_needed() {
    is_built || build "$server_target" raft-lock-server,examples
}

benchmarks_are_built() {
    local jar
    jar=$(jar_of "$benchmarks_target" raft-lock-benchmarks) &&
        is_current "$jar" "$benchmarks_target/.built" "$root/pom.xml" \
            "$root/raft-lock-client/pom.xml" "$root/raft-lock-client/src/main" \
            "$root/raft-lock-server/pom.xml" "$root/raft-lock-server/src/main" \
            "$root/benchmarks/pom.xml" "$root/benchmarks/src/main"
}

# Builds the node and the benchmarks if they are not, and sets benchmarks to their jar.
require_benchmarks() {
    build_if_needed
    benchmarks_are_built || build "$benchmarks_target" benchmarks
    require_java
    benchmarks=$(jar_of "$benchmarks_target" raft-lock-benchmarks) ||
        fail "the build made no benchmarks"
}
