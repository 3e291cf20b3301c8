#compdef partner
_partner() {
  local -a offered shown
  offered=(${(f)"$(partner completion --complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ $offered[1] == :ids ]]; then
    shift offered
    shown=("${offered[@]/$'\t'/  }")
    offered=("${offered[@]%%$'\t'*}")
    compadd -ld shown -a offered
  elif (( ${#offered} )); then
    compadd -M 'm:{a-z}={A-Z}' -a offered
  else
    compset -P '*='
    _files
  fi
}
compdef _partner partner
