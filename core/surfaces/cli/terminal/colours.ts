interface Painter {
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
}

/** Colours at a terminal; none in pipes and files, or when NO_COLOR is set (no-color.org). */
export function painter(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): Painter {
  const on = stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  const code =
    (from: number, to: number) =>
    (text: string): string =>
      on ? `\u001b[${from}m${text}\u001b[${to}m` : text;
  return { red: code(31, 39), green: code(32, 39), yellow: code(33, 39), bold: code(1, 22), dim: code(2, 22) };
}
