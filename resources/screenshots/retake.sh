#!/usr/bin/env bash
# retake.sh PROGRAM [TRACES]: makes the pictures of README and the tour anew, after what they show has changed.
# PROGRAM: overlap-lab, a release build. Look at each picture before it is committed: a click that misses shows another page.
# TRACES: a folder with pytorch.json.gz (tb_plugin/samples/resnet50_num_workers_4 of pytorch/kineto), matrix.csv, async.csv and
# block.csv (mm_mm/profile_results/trace_960.csv and block_vs_async/trace_{async,block}.csv of 3upperm2n/CKE_Modeling).
# Needs ImageMagick; for the pictures that take clicks also Xvfb and xdotool.
# Not made here: page.png, full-grid-h200.olab as a page in headless Chromium, 1280x1300, at #t=0.3ms..1.3ms&op=5, reduced to 128 colours;
# sweep.png, of the folder that `olab sweep default --vary streams=1,2,3,4,6,8 --vary 'h2d.bytes=1MiB..32MiB*2'
# --repeat 3 -o FOLDER` wrote on a GPU: overlap-lab FOLDER --theme light --size 1500x940 --screenshot sweep.png, reduced to 128 colours;
# ten-million.png, the canvas at three zooms of the recording of tests/bench with ten million operations.
set -euo pipefail
program=$(realpath "${1:?usage: retake.sh PROGRAM [TRACES]}")
traces=${2:+$(realpath "$2")}
pictures=$(realpath "$(dirname -- "${BASH_SOURCE[0]}")")
cd -- "$pictures/../.."
recordings=resources/recordings
HOME=$(mktemp -d) # settings of its own
export HOME XDG_RUNTIME_DIR=$HOME
trap 'kill $(jobs -p) 2>/dev/null; rm -rf -- "$HOME"' EXIT

reduce() { # reduce PICTURE NAME
    convert "$1" +dither -colors 128 -strip "PNG8:$pictures/$2.png"
}

# --- what the command line shows

take() { # take NAME WxH [FILE...] OPTION...
    QT_QPA_PLATFORM=offscreen "$program" --theme light --size "$2" --screenshot "$HOME/taken.png" "${@:3}" >/dev/null
    reduce "$HOME/taken.png" "$1"
}
memset=("$recordings/full-grid-h200.olab" --select 203 --zoom 370000:1250000)
take gallery 1280x720
take null-stream 1500x940 "$recordings/null-stream-h200.olab" --page ledger
take default-run 1500x940 "$recordings/default-h200.olab"
take full-grid 1500x940 "$recordings/full-grid-h200.olab"
take why 1500x860 "${memset[@]}"
take projector 1600x1000 "${memset[@]}" --projector
take ping-pong 1600x1000 "$recordings/ping-pong-h200.olab"
take demo-events 1280x720 "$recordings/race-other-stream-mended-h200.olab" --select 83 --zoom 0:10400000
take cuda-code 1500x900 "$recordings/full-grid-h200.olab" --page code
take statistics 1280x720 tests/data/programs/torch2_products_timed-bad.json.gz --page statistics --colour-by name --select 907
take recordings 1500x760 "$recordings"
if [[ $traces ]]; then
    take pytorch 1280x720 "$traces/pytorch.json.gz"
    take several-files 1280x720 "$traces"/{matrix,async,block}.csv
fi
"$program" "$recordings/same-work-one-stream-h200.olab" --against "$recordings/same-work-four-streams-h200.olab" \
    --theme light --picture "$HOME/taken.png" >/dev/null
reduce "$HOME/taken.png" demo-streams

# --- what takes clicks

open() { # open WxH [FILE...]: the window, in the corner of the screen
    rm -rf -- "$HOME/.config" "$HOME/.local"
    QT_QPA_PLATFORM=xcb "$program" --theme light --size "$1" "${@:2}" >/dev/null &
    shown=$!
    xdotool search --sync --onlyvisible --name 'Overlap Lab' windowmove 0 0 windowfocus >/dev/null
    sleep 1.5
}
click() { # click X Y
    xdotool mousemove "$1" "$2" sleep 0.2 click 1 sleep 1
}
grab() { # grab NAME WxH: the picture, and the window goes
    xdotool mousemove 1599 999 sleep 0.3
    import -window root -crop "$2+0+0" +repage "$HOME/taken.png"
    reduce "$HOME/taken.png" "$1"
    kill "$shown"
    wait "$shown" || true
}
both() { # both X Y1 Y2: compares two runs of the list
    click "$1" "$2"
    xdotool keydown ctrl
    click "$1" "$3"
    xdotool keyup ctrl key ctrl+d sleep 1
}
exec {number}<> <(:)
Xvfb -displayfd "$number" -screen 0 1600x1000x24 >/dev/null 2>&1 &
read -r -u "$number" display
export DISPLAY=:$display

open 1500x940 "$recordings"/same-work-{one-stream,four-streams}-h200.olab
both 1400 245 200
click 480 190 # a copy
grab compare 1500x940

open 1280x720 "$recordings"/{pageable,default}-h200.olab
both 1150 210 255
grab demo-pageable 1280x720

open 1280x720
click 200 400 # the card of the NULL stream
click 1160 36 # Try it
sleep 2
grab demo-null-stream 1280x720

open 1280x720
click 660 220 # the card of the full grid
click 470 125 # memset | kernel
grab demo-memset 1280x720

open 1439x870 "$recordings/default-h200.olab"
xdotool key ctrl+k sleep 2
click 372 306 # claim 000-8
grab claims 1439x870

open 1280x720
xdotool key ctrl+l sleep 2 key --delay 100 Tab Tab Tab Tab Tab Tab Tab Tab Tab space sleep 1 # Memsets
click 150 308                          # it overlaps
xdotool key Page_Down sleep 2          # run
grab lesson 1280x720

open 1280x720
xdotool key l sleep 2 mousemove 270 523 click 1 sleep 0.4 key Down sleep 0.1 key Return # h2d.memory
sleep 0.1
grab live 1280x720
