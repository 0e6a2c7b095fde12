const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** An object or array that is open. */
interface Open {
  readonly path: string;
  readonly isList: boolean;
  /** The key or index of its next value. */
  next: string;
  isKey: boolean;
}

const pathOf = (parent: Open | undefined): string => {
  if (!parent) return '';
  if (parent.isList) return `${parent.path}[${parent.next}]`;
  return parent.path === '' ? parent.next : `${parent.path}.${parent.next}`;
};

/** The line, from 1, of each value in a well-formed JSON text, by its path such as `prices[0].tiers[1].upTo`. */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const open: Open[] = [];
  let line = 1;
  let at = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    line += text.slice(at, index).split('\n').length - 1;
    at = index;
    const parent = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',' && parent) {
      if (parent.isList) parent.next = String(Number(parent.next) + 1);
      else parent.isKey = true;
    } else if (token === ':' && parent) parent.isKey = false;
    else if (parent?.isKey === true) parent.next = String(JSON.parse(token));
    else {
      const path = pathOf(parent);
      lines.set(path, line);
      if (token === '{' || token === '[') open.push({ path, isList: token === '[', next: '0', isKey: token === '{' });
    }
  }
  return lines;
}

/** The line of a path, or of the nearest value around it. */
export function lineAt(lines: ReadonlyMap<string, number>, path: string): number {
  for (let place = path; ; place = place.replace(/(\.[^.[\]]*|\[\d+\]|^[^.[\]]+)$/, '')) {
    const line = lines.get(place);
    if (line !== undefined || place === '') return line ?? 1;
  }
}
