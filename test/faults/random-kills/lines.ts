import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A file of JSON lines that is only appended to, and its content in memory. */
interface Lines<T> {
  readonly all: readonly T[];
  add(line: T): void;
  close(): void;
}

/**
 * Opens a file of JSON lines, created if it does not exist. Lines are written at once, so that a run that is cut off
 * can be resumed.
 * @param read checks a line of an earlier run. @throws Error if a line other than an incomplete last one is not valid
 */
export function openLines<T>(path: string, read: (line: unknown) => T): Lines<T> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const all =
    complete === ''
      ? []
      : complete
          .trimEnd()
          .split('\n')
          .map((line) => read(JSON.parse(line)));
  // The last line of a run that was cut off may be incomplete. It must not become part of the next one.
  const file = openSync(path, 'a');
  if (complete.length < text.length) writeSync(file, '\n');
  return {
    all,
    add(line) {
      all.push(line);
      writeSync(file, `${JSON.stringify(line)}\n`);
    },
    close: () => closeSync(file),
  };
}
