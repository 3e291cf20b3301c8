_partner() {
  local IFS=$'\n'
  COMPREPLY=($(partner completion --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ ${COMPREPLY[0]} == :ids ]] || return
  compopt +o default
  COMPREPLY=("${COMPREPLY[@]:1}")
  # The title of the only job isn't inserted.
  if ((${#COMPREPLY[@]} == 1)); then
    COMPREPLY=("${COMPREPLY[0]%%$'\t'*}")
  else
    COMPREPLY=("${COMPREPLY[@]/$'\t'/  }")
  fi
}
complete -o default -F _partner partner
