import type { Choice, CompletionModel } from './model.js';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const line = (path: string, rest: string): string => `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)} ${rest}`;
const command = (path: string, { word, summary }: Choice): string =>
  line(path, `-f -a ${quoted(word)}${summary === '' ? '' : ` -d ${quoted(summary)}`}`);
const flag = (path: string, { word, summary }: Choice, choices: readonly string[] | undefined): string =>
  line(
    path,
    `-l ${word.slice(2)}${choices ? ` -x -a ${quoted(choices.join(' '))}` : ''}${summary === '' ? '' : ` -d ${quoted(summary)}`}`,
  );

/** A script for fish: one line per command and flag. */
export function fishScript({ places, ownFlags, values }: CompletionModel): string {
  const valuesAt = new Map(values.map(({ path, flag: word, choices }) => [`${path} ${word}`, choices]));
  return `# fish completion of svc, made by \`svc completion fish\`.
# Succeeds if the words before the cursor, without flags and their values, are exactly this command.
function __svc_at
    set -l path ''
    set -l tokens (commandline -opc)
    for word in $tokens[2..-1]
        set -l further (string trim -- "$path $word")
        contains -- $further $__svc_places; and set path $further
    end
    test "$path" = "$argv[1]"
end
set -g __svc_places ${places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join(' ')}
complete -c svc -f
# Files after @.
function __svc_files
    for path in (__fish_complete_path (commandline -ct | string sub -s 2))
        echo "@$path"
    end
end
complete -c svc -n 'string match -q "@*" -- (commandline -ct)' -a '(__svc_files)'
${ownFlags.map(({ word, summary }) => `complete -c svc -l ${word.slice(2)} -d ${quoted(summary)}`).join('\n')}
${places
  .flatMap(({ path, commands, flags }) => [
    ...commands.map((each) => command(path, each)),
    ...flags.map((each) => flag(path, each, valuesAt.get(`${path} ${each.word}`))),
  ])
  .join('\n')}
complete -c svc -l input -rF
complete -c svc -l attach -rF
complete -c svc -l image -rF
${line('login', '-l from -rF')}
`;
}
