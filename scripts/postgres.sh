#!/usr/bin/env bash
# Runs a PostgreSQL server for tests: `postgres.sh start DIR` (prints its URL), `restart DIR`, `crash DIR` or `stop DIR`.
# The caller deletes DIR. If root runs this, the server runs as the user postgres, because PostgreSQL refuses root.
set -eu
verb=$1
directory=$2
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
PATH=$bin:$PATH
unset PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD

as_owner() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
# Runs in a directory that the owner can read. Redirects all streams, because the server would keep them open.
control() { (cd / && as_owner pg_ctl --pgdata "$directory/data" --silent --wait "$@" </dev/null >>"$directory/log" 2>&1); }

case $verb in
  start)
    mkdir -p "$directory"
    : >"$directory/log"
    if [ "$(id -u)" = 0 ]; then chown -R postgres "$directory"; fi
    port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
    (cd / && as_owner initdb --pgdata "$directory/data" --username partner --auth trust --encoding UTF8 --locale C >>"$directory/log" 2>&1)
    printf "port = %s\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n" "$port" |
      as_owner tee -a "$directory/data/postgresql.conf" >/dev/null
    control start
    echo "postgres://partner@127.0.0.1:$port/postgres"
    ;;
  restart) control --mode fast restart ;;
  # Simulates a power failure: the server stops without cleanup, then recovers from its log.
  crash) control --mode immediate restart ;;
  stop) control --mode immediate stop ;;
esac
