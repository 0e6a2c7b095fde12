import type { Choice, CompletionModel } from './model.js';

const words = (choices: readonly Choice[]): string => choices.map(({ word }) => word).join(' ');

/** A script for bash 3.2 and newer. It contains a word list per command and starts no process per keystroke. */
export function bashScript({ places, ownFlags, values }: CompletionModel): string {
  return `# bash completion of svc, made by \`svc completion bash\`.
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev= path= word i commands= flags= typed
  COMPREPLY=()
  [ "$COMP_CWORD" -gt 0 ] && prev=\${COMP_WORDS[COMP_CWORD-1]}
  # bash splits --flag=value into three words.
  [ "$cur" = = ] && cur= || { [ "$prev" = = ] && prev=\${COMP_WORDS[COMP_CWORD-2]}; }
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in -*) ;; *) _svc_place "\${path:+$path }$word" && path="\${path:+$path }$word" ;; esac
  done
  case "$path $prev" in
${values.map(({ path, flag, choices }) => `    '${path} ${flag}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return ;;`).join('\n')}
    *' --input'|*' --attach'|*' --image'|'login --from') COMPREPLY=($(compgen -f -- "$cur")); return ;;
    *' --profile'|*' --base-url') return ;;
  esac
  # bash splits words at @ too, but what it replaces, $2, may begin with it.
  typed=\${COMP_LINE:0:\${COMP_POINT:-0}} typed=\${typed##*[ =]}
  case "$typed" in @*)
    case "$2" in @*) word=@ ;; *) word= ;; esac
    COMPREPLY=($(compgen -f -P "$word" -- "\${typed#@}")); return ;;
  esac
  case "$cur" in @*) COMPREPLY=($(compgen -f -P @ -- "\${cur#@}")); return ;; esac
  _svc_place "$path"
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags ${words(ownFlags)}" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
  esac
}
# Sets commands and flags of a command; fails if there is no such command.
_svc_place() {
  case "$1" in
${places.map(({ path, commands, flags }) => `    '${path}') commands='${words(commands)}' flags='${words(flags)}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
complete -F _svc svc
`;
}
