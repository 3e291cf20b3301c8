_partner() {
  local IFS=$'\n'
  COMPREPLY=($(partner completion --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _partner partner
