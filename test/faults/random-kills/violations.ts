/** A promise of docs/reliability.md that was not kept, and the rows that show it. */
export interface Violation {
  readonly promise: string;
  readonly rows: string[];
  /** How many there are; `rows` has the first ones. */
  count: number;
}

export interface Violations {
  readonly all: readonly Violation[];
  /** Without rows, nothing happens. */
  add(promise: string, ...rows: readonly string[]): void;
}

const shownRows = 20;

export function collectViolations(): Violations {
  const all: Violation[] = [];
  return {
    all,
    add(promise, ...rows) {
      if (rows.length === 0) return;
      let found = all.find((each) => each.promise === promise);
      if (!found) {
        found = { promise, rows: [], count: 0 };
        all.push(found);
      }
      found.count += rows.length;
      found.rows.push(...rows.slice(0, shownRows - found.rows.length));
    },
  };
}
