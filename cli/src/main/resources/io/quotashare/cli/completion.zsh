#compdef quotashare
# Completion of quotashare for zsh:    source <(quotashare completion zsh)
# or for good:                         quotashare completion zsh --install

@CORE@

_quotashare() {
  emulate -L zsh
  local kind candidates current=${words[CURRENT]}
  _quotashare_candidates "${words[1]}" "$current" "${(@)words[2,CURRENT-1]}"
  [[ $current == --*=* ]] && compset -P '*='
  if [[ $kind == file ]]; then
    _files
  else
    compadd -- ${=candidates}
  fi
}

# Loaded from a folder of fpath this file is the body of the function; sourced it registers it.
if [[ ${funcstack[1]} == _quotashare ]]; then
  _quotashare "$@"
else
  compdef _quotashare quotashare
fi
