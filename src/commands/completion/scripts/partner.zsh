#compdef partner
_partner() {
  local -a offered
  offered=(${(f)"$(partner completion --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ${#offered} )); then
    compadd -M 'm:{a-z}={A-Z}' -a offered
  else
    compset -P '*='
    _files
  fi
}
compdef _partner partner
