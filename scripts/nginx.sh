#!/usr/bin/env bash
# Runs Debian's nginx with deploy/nginx.conf for tests. The caller creates and deletes the directory DIR.
# `nginx.sh start DIR HOST:PORT HOST:PORT` starts a proxy of two engines and prints its URL. `nginx.sh stop DIR` stops it.
set -eu
verb=$1
directory=$2
control() { /usr/sbin/nginx -c "$directory/nginx.conf" -e "$directory/log" -g "pid $directory/pid;" "$@"; }

case $verb in
  start)
    port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
    # Changes only the addresses, so that tests use the published configuration.
    sed -e "s/server 172.30.0.11:4650/server $3/" -e "s/server 172.30.0.12:4650/server $4/" \
      -e "s/listen 8080/listen 127.0.0.1:$port/" "$(dirname "$0")/../deploy/nginx.conf" >"$directory/nginx.conf"
    control
    echo "http://127.0.0.1:$port"
    ;;
  stop) control -s stop ;;
esac
