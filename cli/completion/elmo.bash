# Bash completion for elmo. Subcommands, options and the words an option takes are read from --help.

_elmo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local tool=${COMP_WORDS[0]} help words

  if (( COMP_CWORD == 1 )); then
    help=$("$tool" --help 2> /dev/null)
    words=$(awk '/^Subcommands:/ { found = 1; next } found && /^  [a-z]/ { print $1 }' <<< "$help")
    [[ $current == -* ]] && words="--help --version"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi

  help=$("$tool" "${COMP_WORDS[1]}" --help 2> /dev/null | grep -E '^ +-')
  if [[ $current == -* ]]; then
    words=$(grep -oE '^ +(-[a-zA-Z],)?--[a-z0-9-]+' <<< "$help" | grep -oE -- '--.*')
  elif [[ $previous == -* ]]; then
    # "--dtype float32|float16" offers both; "--weights FILE" leaves it to file names.
    words=$(awk -v option="$previous" '{
      count = split($1, names, ",")
      for (i = 1; i <= count; ++i) if (names[i] == option && $2 ~ /\|/) print $2
    }' <<< "$help")
    words=${words//|/ }
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -o bashdefault -o default -F _elmo elmo
