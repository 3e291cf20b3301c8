_partner() {
  local IFS=$'\n'
  COMPREPLY=($(partner completion --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ ${COMPREPLY[0]} == :ids ]] || return
  compopt +o default
  COMPREPLY=("${COMPREPLY[@]:1}")
  # The title of the only job isn't inserted.
  ((${#COMPREPLY[@]} > 1)) || COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
}
complete -o default -F _partner partner
