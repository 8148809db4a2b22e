#!/usr/bin/env bash
# retake.sh PROGRAM: makes the pictures of README and the tour that show a shipped recording anew, after what they show has changed.
# pytorch.png is that of the trace that ships with PyTorch, at 1280x720; statistics.png and several-files.png are taken by hand and reduced to 128 colours;
# compare.png (same-work-one-stream-h200 and -four-streams-h200, Ctrl+D, a click on a copy) and recordings.png (this folder's neighbour
# recordings) are, too;
# demo-*.png are taken by hand at 1280x720 with the actions that the tour says, and reduced to 96 colours.
# PROGRAM: overlap-lab, a release build. Look at each before it is committed.
set -euo pipefail
program=$(realpath "${1:?usage: retake.sh PROGRAM}")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
export QT_QPA_PLATFORM=offscreen

take() { # take NAME WxH RECORDING OPTION...
    "$program" "../recordings/$3.olab" --theme light --size "$2" --screenshot "$1.png" "${@:4}" >/dev/null
}
take null-stream 1500x940 null-stream-h200 --page ledger
take default-run 1500x940 default-h200
take full-grid 1500x940 full-grid-h200
take why 1500x860 full-grid-h200 --select 203
take ping-pong 1600x1000 ping-pong-h200
take projector 1600x1000 full-grid-h200 --select 203 --projector
"$program" --theme light --size 1280x720 --screenshot gallery.png >/dev/null
# sweep.png: of the folder that `olab sweep default --vary streams=1,2,3,4,6,8 --vary 'h2d.bytes=1MiB..32MiB*2' --repeat 3 -o FOLDER`
# wrote on a GPU: overlap-lab FOLDER --theme light --size 1500x940 --screenshot sweep.png, reduced to 128 colours
