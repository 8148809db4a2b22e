# bash completion of olab. Needs nothing but bash: commands, options, presets, keys and values are asked of the program, so
# they are those of the installed version.

# The words before the cursor, with KEY=VALUE and file:PATH put together again: bash splits words at = and :.
_olab_words() { # sets words, cur
    local word glue=''
    words=() cur=''
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} -gt 0 && ($glue = yes || $word = [=:]*) ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        case $word in *[=:]) glue=yes ;; *) glue='' ;; esac
    done
    cur=${words[${#words[@]} - 1]}
    unset "words[${#words[@]}-1]"
}

_olab_commands() { "$1" --help 2>/dev/null | sed -n '/^usage:/,$s/^  \([a-z][a-z-]*\) .*/\1/p'; }

_olab_options() { "$1" "$2" --help 2>/dev/null | sed -n 's/^  \(-[^ ].*\)/\1/p' | sed 's/  .*//' | grep -oE '(^| )--?[a-z][a-z-]*' | tr -d ' '; }

_olab_choices() { # a|b|c of one option, as --help has them; nothing for free text
    "$1" "$2" --help 2>/dev/null | sed -n "s/^  .*$3 \([a-z0-9:]*|[a-z0-9:|]*\) .*/\1/p" | tr '|' '\n'
}

_olab_takes_value() { # reads all of it: a program whose output nobody reads fails
    [ "$("$1" "$2" --help 2>/dev/null | grep -cE -- "^  ([^ ]+, )?$3(, --[a-z-]+)? [^ ]")" != 0 ]
}

_olab_keys() { "$1" options 2>/dev/null | sed -n 's/^  \([a-z][a-z0-9_.]*\)=.*/\1=/p'; }

_olab_values() { # of one key: the choices, else the default to start from
    "$1" options --json 2>/dev/null | awk -v wanted="\"$2\"," '
        $1 == "\"key\":" { here = $2 == wanted; listed = 0 }
        here && $1 == "\"values\":" { inside = listed = 1; next }
        inside && /]/ { inside = 0 }
        inside { gsub(/[" ,]/, ""); print }
        here && $1 == "\"type\":" && $2 == "\"model\"," { print "file:" }
        here && $1 == "\"default\":" && !listed { gsub(/[",]/, "", $2); print $2 }'
}

_olab_lessons() { "$1" lesson 2>/dev/null | sed -n 's/^\([a-z0-9][a-z0-9-]*\): .*/\1/p'; }
_olab_presets() { "$1" presets 2>/dev/null | sed -n 's/^\([a-z0-9][a-z0-9-]*\): .*/\1/p'; }

_olab_claims() { "$1" claims --list 2>/dev/null | sed -n 's/^\([0-9]\{3\}-[0-9]*\)  .*/\1/p'; }

_olab_reply() { # _olab_reply PREFIX-OF-THE-WORD CANDIDATES: bash replaces only what stands behind the last = or :
    local hidden=$1 candidate
    while read -r candidate; do
        if [[ -n $candidate && $hidden$candidate = "$cur"* ]]; then
            candidate=$hidden$candidate
            [[ $cur = *[=:]* ]] && candidate=${candidate#"${cur%"${cur##*[=:]}"}"}
            COMPREPLY+=("$candidate")
        fi
    done <<<"$2"
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} = *[=:/] ]] && compopt -o nospace 2>/dev/null
}

_olab_files() { # folders, and files with this ending
    local ending=$1 name
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        [[ -n $name && (-d $name || $name = *.$ending) ]] && COMPREPLY+=("$name")
    done < <(compgen -f -- "$cur")
}

_olab_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_olab_model_files() { # the PATH of a device model, behind file:
    local hidden=${cur%%file:*}file: name names=''
    while IFS= read -r name; do
        [[ -d $name ]] && names+=$name/$'\n'
        [[ $name = *.json ]] && names+=$name$'\n'
    done < <(compgen -f -- "${cur#"$hidden"}")
    _olab_reply "$hidden" "$names"
}

_olab_hosts() { # of the user's ssh configuration
    sed -n 's/^[[:space:]]*[Hh]ost[[:space:]=]\{1,\}//p' ~/.ssh/config 2>/dev/null | tr -s ' \t' '\n\n' | grep -v '[*?!"]'
}

_olab_value() { # of the option named before the cursor
    local olab=$1 command=$2 option=$3
    case $option in
        --set | --vary)
            case $cur in
                *=file:*) _olab_model_files ;;
                *=*) _olab_reply "${cur%%=*}=" "$(_olab_values "$olab" "${cur%%=*}")" ;;
                *) _olab_reply '' "$(_olab_keys "$olab")" ;;
            esac ;;
        -o | --output) if [[ $command = claims || $command = sweep ]]; then _olab_folders; elif [[ $command = calibrate || $command = fix ]]; then _olab_files json; else _olab_files olab; fi ;;
        --keep | --check | --recordings) _olab_folders ;;
        --on) _olab_reply '' "$(_olab_hosts)" ;;
        --folder) _olab_folders ;;
        --launcher) _olab_reply '' slurm ;;
        *)
            [[ $command$option = calibrate--from ]] && _olab_files olab && return
            _olab_reply '' "$(_olab_choices "$olab" "$command" "$option")"
            [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default 2>/dev/null ;;
    esac
}

_olab() {
    local olab command cur previous
    local -a words
    COMPREPLY=()
    _olab_words
    olab=${words[0]/#\~/$HOME}
    command=${words[1]-}
    previous=${words[${#words[@]} - 1]}
    if [[ -z $command ]]; then
        _olab_reply '' "$(_olab_commands "$olab")"$'\n--help\n--version'
    elif [[ $cur = --*=* ]]; then
        local option=${cur%%=*} whole=$cur
        if [[ $option != --set && $option != --vary ]]; then
            _olab_reply "$option=" "$(_olab_choices "$olab" "$command" "$option")"
        elif [[ ${whole#*=} = *=file:* ]]; then
            _olab_model_files
        elif [[ ${whole#*=} = *=* ]]; then
            local key=${whole#*=}
            _olab_reply "$option=${key%%=*}=" "$(_olab_values "$olab" "${key%%=*}")"
        else
            _olab_reply "$option=" "$(_olab_keys "$olab")"
        fi
    elif [[ $previous = -* ]] && _olab_takes_value "$olab" "$command" "$previous"; then
        _olab_value "$olab" "$command" "$previous"
    elif [[ $command = setup-host && $cur != -* ]]; then
        _olab_reply '' "$(_olab_hosts)"
    elif [[ $command = trace && " ${words[*]:2} " = *' -- '* ]]; then # the program's own words
        if [[ $previous = -- ]]; then mapfile -t COMPREPLY < <(compgen -c -- "$cur"); fi
        compopt -o default 2>/dev/null
    elif [[ $cur = -* ]]; then
        _olab_reply '' "$(_olab_options "$olab" "$command")"
    elif [[ $command = run || $command = fix || $command = sweep ]]; then
        _olab_files json
        _olab_reply '' "$(_olab_presets "$olab")"
    elif [[ $command = claims ]]; then
        _olab_reply '' "$(_olab_claims "$olab")"
    elif [[ $command = export-cu ]]; then
        _olab_files olab
        _olab_reply '' "$(_olab_presets "$olab")"$'\n'"$(_olab_keys "$olab")"
    elif [[ $command = lesson ]]; then
        _olab_files md
        _olab_reply '' "list"$'\n'"all"$'\n'"$(_olab_lessons "$olab")"
    elif [[ $command = help ]]; then
        _olab_reply '' "$(_olab_commands "$olab")"
    elif [[ $command = analyze || $command = stats || $command = compare || $command = convert || $command = render ]]; then
        compopt -o default 2>/dev/null # any file: formats of others may be read, too
    fi
}

complete -F _olab olab
