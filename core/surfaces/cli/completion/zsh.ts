import type { Choice, CompletionModel } from './model.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** `_describe` splits word and description at the first colon. */
const described = (choices: readonly Choice[]): string =>
  choices.map(({ word, summary }) => quoted(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ');

/** A script for zsh: put it on the fpath as `_svc`, or source it. */
export function zshScript({ places, ownFlags, values }: CompletionModel): string {
  return `#compdef svc
# zsh completion of svc, made by \`svc completion zsh\`.
_svc_place() {
  case "$1" in
${places.map(({ path, commands, flags }) => `    ${quoted(path)}) commands=(${described(commands)}) flags=(${described(flags)}) ;;`).join('\n')}
    *) return 1 ;;
  esac
}
_svc() {
  local -a commands flags own
  local place= word flag="\${words[CURRENT-1]}"
  own=(${described(ownFlags)})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] || { _svc_place "\${place:+$place }$word" && place="\${place:+$place }$word" }
  done
  if [[ "\${words[CURRENT]}" == --*=* ]]; then flag="\${words[CURRENT]%%=*}"; compset -P '*='; fi
  case "$place $flag" in
${values.map(({ path, flag, choices }) => `    ${quoted(`${path} ${flag}`)}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`).join('\n')}
    *' --input'|*' --attach'|*' --image'|'login --from') _files; return ;;
    *' --profile'|*' --base-url') return ;;
  esac
  if compset -P '@'; then _files; return; fi
  commands=() flags=()
  _svc_place "$place"
  if [[ "\${words[CURRENT]}" == -* ]]; then
    flags+=("\${own[@]}")
    _describe -o 'flag' flags
  else
    _describe 'command' commands
  fi
}
if [ "$funcstack[1]" = "_svc" ]; then _svc "$@"; else compdef _svc svc; fi
`;
}
