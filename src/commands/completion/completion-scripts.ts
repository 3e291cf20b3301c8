/** For each shell, what makes it ask `partner completion --complete` for words. */
export const COMPLETION_SCRIPTS = {
  bash: `_partner() {
  local IFS=$'\\n'
  COMPREPLY=($(partner completion --complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _partner partner
`,
  zsh: `#compdef partner
_partner() {
  local -a offered
  offered=(\${(f)"$(partner completion --complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#offered} )); then
    compadd -M 'm:{a-z}={A-Z}' -a offered
  else
    compset -P '*='
    _files
  fi
}
compdef _partner partner
`,
  fish: `function __partner_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -e before[1]
  set -l offered (partner completion --complete -- $before "$current" 2>/dev/null)
  if test (count $offered) -gt 0
    printf '%s\\n' $offered
  else
    __fish_complete_path "$current"
  end
end
complete -c partner -f -a '(__partner_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName partner -ScriptBlock {
  param($word, $line, $cursor)
  $before = $line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor }
  $words = @($before | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  # Before 7.3 an empty word is not passed on.
  $flags = if ($word -eq '') { '--complete', '--next-word' } else { , '--complete' }
  partner completion @flags -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
} as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;

export const SHELLS = Object.keys(COMPLETION_SCRIPTS) as Shell[];
