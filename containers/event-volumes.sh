#!/bin/sh
# Guards the volumes of the three nodes of docker-compose.cluster.yml.
#   check  refuses to go on when exactly one of them holds a log
#   copy   gives the log of that one to the other two, while no node runs
set -eu

folder=${NODES_FOLDER:-/nodes}
nodes="kurrentdb kurrentdb-2 kurrentdb-3"

# A copy that was cut short is no log: its mark is removed last.
has_log() {
  [ ! -e "$folder/$1/.copying" ] && [ -n "$(find "$folder/$1" -name '*.chk' -o -name 'chunk-*' | head -n 1)" ]
}

with=""
without=""
for node in $nodes; do
  if has_log "$node"; then with="$with $node"; else without="$without $node"; fi
done
action=${1:-check}
set -- $with

case $action in
  check)
    if [ $# -eq 1 ]; then
      echo "Only the volume of $1 holds a log: three nodes that start like this can lose it. Nothing was changed. While all nodes are stopped:" >&2
      echo "  docker compose -f docker-compose.yml -f docker-compose.cluster.yml run --rm event-volumes copy" >&2
      exit 1
    fi
    ;;
  copy)
    if [ $# -ne 1 ]; then
      echo "Nothing was copied: this is for one node with a log and two without. With a log:${with:- none}." >&2
      exit 1
    fi
    for node in $nodes; do
      if curl --silent --output /dev/null --max-time 2 "http://$node:2113/health/live"; then
        echo "Nothing was copied: $node runs. Stop all services first: docker compose stop" >&2
        exit 1
      fi
    done
    for node in $without; do
      touch "$folder/$node/.copying"
      find "$folder/$node" -mindepth 1 ! -name .copying -delete
      cp -Rp "$folder/$1/." "$folder/$node/"
      sync
      rm "$folder/$node/.copying"
    done
    sync
    echo "Copied the log of $1 to$without."
    ;;
  *)
    echo "Say check or copy." >&2
    exit 1
    ;;
esac
