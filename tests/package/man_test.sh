#!/usr/bin/env bash
# man_test.sh MAN_FOLDER PROGRAM...: every option and command of --help stands in the program's man page, the page names no other
# option, and man can format it without a complaint.
set -euo pipefail
folder=$1
shift
failures=0

complain() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

plain() { # the page as a reader gets it, without its dashes escaped
    sed 's/\\-/-/g' "$1"
}

commands_of() { # what `olab --help` lists
    sed -n '/^usage:/,/^.olab COMMAND/s/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$1"
}

options_of() { # the names in the column of options
    sed -n 's/^  \(-[^ ].*\)/\1/p' | sed 's/  .*//' | grep -oE '(^|[ ,])-{1,2}[a-z][a-z-]*' | tr -d ' ,' | sort -u
}

# In mdoc an option is "Fl o" or "Fl -output", and "Fl -help | -version" is two: the first dash is the macro's.
page_options() { # page_options TEXT
    grep -oE '(^|[ .])Fl -?[a-z][a-z-]*( [|] -[a-z][a-z-]*)*' <<<"$1" | sed 's/.*Fl //' | tr '|' '\n' | tr -d ' ' | sed 's/^/-/' | sort -u
}

check_page() { # check_page PROGRAM
    local program=$1 page help known option command in_page
    page=$(plain "$folder/$(basename "$program").1")
    help=$("$program" --help)
    known=$help
    for command in $(commands_of "$help"); do
        grep -qE "^\.Ss $command\$" <<<"$page" || complain "$program: the page has no section on the command $command"
        known+=$'\n'$("$program" "$command" --help)
    done
    known=$(options_of <<<"$known")
    in_page=$(page_options "$page")
    [ "$(wc -l <<<"$known")" -ge 5 ] || complain "$program: --help could not be read, only these options were found: $known"
    for option in $(comm -23 <(echo "$known") <(echo "$in_page")); do
        complain "$program: the option $option is not in the page"
    done
    # Every program takes --version, said in its --help or not.
    for option in $(comm -13 <(echo "$known") <(echo "$in_page") | grep -vx -- --version); do
        complain "$program: the page names $option, which --help does not"
    done
}

check_format() { # check_format PAGE: only where man's own tools are
    local output
    if command -v groff >/dev/null && [ -n "$(find /usr/share/groff -name 'doc.tmac*' 2>/dev/null | head -n 1)" ]; then
        output=$(groff -mdoc -Tutf8 -ww "$1" 2>&1 >/dev/null) || complain "$1: groff failed"
        [ -z "$output" ] || complain "$1: $output"
    fi
}

for program in "$@"; do
    check_page "$program"
    check_format "$folder/$(basename "$program").1"
done
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "the pages of $# programs hold every option"
