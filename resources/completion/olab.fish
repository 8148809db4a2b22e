# fish completion of olab. Commands, options, presets, keys and values are asked of the program.
function __olab_commands
    olab --help 2>/dev/null | string match -rg '^  ([a-z][a-z-]*) '
end

function __olab_options
    set -l words (commandline -opc)
    olab $words[2] --help 2>/dev/null | string match -rg '^  (-.*?)(?:  .*)?$' | string match -arg '(?:^|[ ])(--?[a-z][a-z-]*)'
end

function __olab_values
    olab options --json 2>/dev/null | awk -v wanted="\"$argv[1]\"," '
        $1 == "\"key\":" { here = $2 == wanted; listed = 0 }
        here && $1 == "\"values\":" { inside = listed = 1; next }
        inside && /]/ { inside = 0 }
        inside { gsub(/[" ,]/, ""); print }
        here && $1 == "\"type\":" && $2 == "\"model\"," { print "file:" }
        here && $1 == "\"default\":" && !listed { gsub(/[",]/, "", $2); print $2 }'
end

function __olab_settings
    set -l parts (string split -m1 = -- (commandline -ct | string replace -r '^--set=' ''))
    if set -q parts[2]
        __olab_values $parts[1] | string replace -r '^' "$parts[1]="
    else
        olab options 2>/dev/null | string match -rg '^  ([a-z][a-z0-9_.]*=).*$'
    end
end

complete -c olab -n __fish_use_subcommand -f -a '(__olab_commands) --help --version'
complete -c olab -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__olab_options)'
complete -c olab -n '__fish_seen_subcommand_from run fix sweep export-cu' -a '(olab presets 2>/dev/null | string match -rg "^([a-z0-9-]+): ")'
complete -c olab -n '__fish_seen_subcommand_from run fix sweep export-cu' -l set -x -a '(__olab_settings)'
complete -c olab -n '__fish_seen_subcommand_from run fix sweep' -l backend -x -a 'auto cuda sim'
complete -c olab -n '__fish_seen_subcommand_from run fix sweep calibrate claims devices' -l on -x -a '(__fish_print_hostnames)'
complete -c olab -n '__fish_seen_subcommand_from setup-host' -x -a '(__fish_print_hostnames)'
complete -c olab -n '__fish_seen_subcommand_from sweep' -l figure -x -a 'time per-pass rate efficiency off'
complete -c olab -n '__fish_seen_subcommand_from sweep' -s o -l output -x -a '(__fish_complete_directories)'
complete -c olab -n '__fish_seen_subcommand_from claims' -f -a '(olab claims --list 2>/dev/null | string match -rg "^([0-9]{3}-[0-9]+)  ")'
complete -c olab -n '__fish_seen_subcommand_from claims' -l backend -x -a 'auto cuda sim recorded'
complete -c olab -n '__fish_seen_subcommand_from claims' -s o -l output -x -a '(__fish_complete_directories)'
complete -c olab -n '__fish_seen_subcommand_from lesson' -a 'list all (olab lesson 2>/dev/null | string match -rg "^([a-z0-9-]+): ")'
complete -c olab -n '__fish_seen_subcommand_from lesson' -l backend -x -a 'recorded sim cuda'
complete -c olab -n '__fish_seen_subcommand_from lesson' -l recordings -x -a '(__fish_complete_directories)'
complete -c olab -n '__fish_seen_subcommand_from stats' -l by -x -a 'work kernel copy operator range call'
complete -c olab -n '__fish_seen_subcommand_from stats' -l iteration -x -a 'typical worst'
complete -c olab -n '__fish_seen_subcommand_from stats' -l sort -x -a 'total count mean median min max stddev time overlapped waited bytes name'
complete -c olab -n '__fish_seen_subcommand_from render' -l theme -x -a 'light dark'
complete -c olab -n '__fish_seen_subcommand_from render' -l format -x -a 'tall 16:9'
complete -c olab -n '__fish_seen_subcommand_from render' -l projector
complete -c olab -n '__fish_seen_subcommand_from calibrate' -l backend -x -a 'cuda sim'
complete -c olab -n '__fish_seen_subcommand_from calibrate' -l check -x -a '(__fish_complete_directories)'
complete -c olab -n '__fish_seen_subcommand_from calibrate' -l keep -x -a '(__fish_complete_directories)'
complete -c olab -n '__fish_seen_subcommand_from calibrate' -l from -x -a '(__fish_complete_suffix .olab)'
complete -c olab -n '__fish_seen_subcommand_from trace; and contains -- -- (commandline -opc)' -a '(__fish_complete_subcommand --fcs-skip=3)'
complete -c olab -n '__fish_seen_subcommand_from trace' -l capture-range -x -a 'cuda nvtx:'
complete -c olab -n '__fish_seen_subcommand_from trace' -l on -x -a '(olab trace --list 2>/dev/null | string replace -r "  .*" "") all'
complete -c olab -n '__fish_seen_subcommand_from trace' -l off -x -a '(olab trace --list 2>/dev/null | string replace -r "  .*" "") all'
