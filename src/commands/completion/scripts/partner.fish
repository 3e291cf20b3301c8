function __partner_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -e before[1]
  set -l offered (partner completion --complete -- $before "$current" 2>/dev/null)
  if test "$offered[1]" = :ids
    set -e offered[1]
    printf '%s\n' $offered
  else if test (count $offered) -gt 0
    printf '%s\n' $offered
  else
    __fish_complete_path "$current"
  end
end
complete -c partner -f -a '(__partner_complete)'
