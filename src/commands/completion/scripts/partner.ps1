Register-ArgumentCompleter -Native -CommandName partner -ScriptBlock {
  param($word, $line, $cursor)
  $before = $line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor }
  $words = @($before | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  # PowerShell before 7.3 doesn't pass empty arguments to programs.
  $flags = if ($word -eq '') { '--complete', '--next-word' } else { , '--complete' }
  partner completion @flags -- @words 2>$null | Where-Object { $_ -ne ':ids' } | ForEach-Object {
    $text, $title = $_ -split "`t", 2
    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $(if ($title) { $title } else { $text }))
  }
}
