# Completion of quotashare for bash:   source <(quotashare completion bash)
# or for good:                         quotashare completion bash --install

@CORE@

_quotashare() {
  local kind candidates current
  local -a typed
  # Not COMP_WORDS: bash divides words at = and : as well.
  read -ra typed <<<"${COMP_LINE:0:COMP_POINT}"
  current=''
  if [[ ${COMP_LINE:0:COMP_POINT} != *[[:space:]] ]]; then
    current=${typed[${#typed[@]} - 1]}
    typed=("${typed[@]:0:${#typed[@]} - 1}")
  fi
  _quotashare_candidates "${typed[0]}" "$current" "${typed[@]:1}"
  [[ $current == --*=* ]] && current=${current#*=}
  if [[ $kind == file ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
  fi
}

complete -F _quotashare quotashare
