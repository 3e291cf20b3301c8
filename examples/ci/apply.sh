#!/bin/sh
#
# Makes the jobs on a server match the files of a directory: checks, plans, applies, and stores the state.
#
#   PARTNER_BASE_URL=https://api.example.com/v1 PARTNER_API_KEY=... sh apply.sh [DIRECTORY]
#
#   STATE_DIR     Persistent directory for the state. If it isn't set, the state is stored next to the files
#                 and committed to git.
#   STATE_BRANCH  Branch of origin to which the commit is pushed.
#
# Always start it from the same directory. It exits with partner's exit code, and you can run it again at any time.

set -eu

jobs=${1:-jobs}
set -- "$jobs" --publish --repost
if [ -n "${STATE_DIR:-}" ]; then
  mkdir -p "$STATE_DIR"
  set -- "$@" --state "$STATE_DIR/state.json"
fi

say() {
  printf 'apply.sh: %s\n' "$*" >&2
}

# Explains partner's exit code, and exits with it.
finish() {
  case $1 in
    0) say 'Every job matches its file.' ;;
    3) say 'A listing is invalid or incomplete. Nothing was sent. Fix the problems listed above, then run this again.' ;;
    4) say 'The key is missing or was rejected. Check PARTNER_API_KEY and PARTNER_BASE_URL.' ;;
    6) say 'Another apply is running, or the state of these jobs is lost. See the error above.' ;;
    8) say 'The server is unreachable, or the result of a create is unknown. Run this again.' ;;
    9) say 'Some listings failed or are not live. The other listings succeeded. Fix the problems listed above, then run this again.' ;;
    11) say 'All listings failed, or no listing is live. Fix the problems listed above, then run this again.' ;;
    130) say 'Interrupted. Completed changes are recorded. Run this again to apply the rest.' ;;
    *) say "Failed with exit code $1. See the error above." ;;
  esac
  exit "$1"
}

# Commits the state. A journal that remains after a run is needed by the next run, so it's committed too.
# --force is required because .partner/.gitignore excludes the journal.
keep_state() {
  if [ -n "${STATE_DIR:-}" ]; then
    return 0
  fi
  for file in .gitignore state.json state.journal.ndjson; do
    if [ -e "$jobs/.partner/$file" ]; then
      git add --force -- "$jobs/.partner/$file" || return 1
    else
      git rm --quiet --cached --ignore-unmatch -- "$jobs/.partner/$file" || return 1
    fi
  done
  if git diff --cached --quiet -- "$jobs/.partner"; then
    return 0
  fi
  git commit --quiet --message 'State of jobs apply' -- "$jobs/.partner" || return 1
  if [ -n "${STATE_BRANCH:-}" ]; then
    git pull --quiet --rebase origin "$STATE_BRANCH" || return 1
    git push --quiet origin "HEAD:$STATE_BRANCH" || return 1
  fi
}

say "checking $jobs"
partner jobs validate "$jobs" || finish $?

say 'planning'
code=0
partner jobs plan "$@" --exit-code || code=$?
case $code in
  0) finish 0 ;;
  10) say 'There are changes to apply.' ;;
  *) finish "$code" ;;
esac

# Runs in the background, because a shell handles signals only after a foreground command ends. A signal ends
# the first wait, but apply still finishes its requests in progress, so the script waits again.
say 'applying'
code=0
partner jobs apply "$@" &
apply=$!
trap 'kill -TERM "$apply" 2>/dev/null || :' INT TERM
wait "$apply" || code=$?
while [ "$code" -gt 128 ] && kill -0 "$apply" 2>/dev/null; do
  code=0
  wait "$apply" || code=$?
done
trap '' INT TERM

if ! keep_state; then
  say "the state could not be stored: save $jobs/.partner before this machine is deleted"
  [ "$code" -ne 0 ] || code=1
fi
finish "$code"
