/*
 * Waiting items of holders that take turns on several levels: accounts first, then the environments of an account, then
 * what its environments share among themselves.
 */

/** A holder, from the outermost level inwards; on each level, holders take turns. */
export type Turns = readonly string[];

interface Branch<T> {
  readonly items: T[];
  readonly branches: Map<string, Branch<T>>;
}

export interface TurnTree<T> {
  add(path: Turns, item: T): void;
  /**
   * Removes and returns the next item. On each level, its holder goes to the end of the line.
   * @param isOpen whether a holder on the outermost level may have a turn now
   * @param accepts whether an item may be taken
   * @returns undefined if there is none
   */
  take(isOpen: (holder: string) => boolean, accepts: (item: T) => boolean): T | undefined;
  /** The same for an item that stays: it goes to the end of its holder's line. */
  pass(isOpen: (holder: string) => boolean, accepts: (item: T) => boolean): T | undefined;
  /** Removes an item that no longer waits, if it is there. */
  remove(path: Turns, item: T): void;
  /** How many turns there are until a holder that waits has its next one: one if it waits alone. */
  roundOf(path: Turns): number;
}

const emptyBranch = <T>(): Branch<T> => ({ items: [], branches: new Map() });

const always = (): boolean => true;

/** Creates an empty tree. */
export function createTurnTree<T>(): TurnTree<T> {
  const root = emptyBranch<T>();

  function nextOf(
    { items, branches }: Branch<T>,
    isOpen: (holder: string) => boolean,
    accepts: (item: T) => boolean,
    isTaken: boolean,
  ): T | undefined {
    const at = items.findIndex(accepts);
    if (at >= 0) {
      if (!isTaken && items.length === 1) return items[0];
      const [item] = items.splice(at, 1);
      if (!isTaken && item !== undefined) items.push(item);
      return item;
    }
    for (const [key, branch] of branches) {
      if (!isOpen(key)) continue;
      const item = nextOf(branch, always, accepts, isTaken);
      if (item === undefined) continue;
      const isEmpty = branch.items.length === 0 && branch.branches.size === 0;
      if (isEmpty || branches.size > 1) branches.delete(key);
      if (!isEmpty && !branches.has(key)) branches.set(key, branch);
      return item;
    }
    return undefined;
  }

  function removeFrom({ items, branches }: Branch<T>, [key, ...rest]: Turns, item: T): void {
    if (key === undefined) {
      const at = items.indexOf(item);
      if (at >= 0) items.splice(at, 1);
      return;
    }
    const branch = branches.get(key);
    if (!branch) return;
    removeFrom(branch, rest, item);
    if (branch.items.length === 0 && branch.branches.size === 0) branches.delete(key);
  }

  return {
    add(path, item) {
      let branch = root;
      for (const key of path) {
        const next = branch.branches.get(key) ?? emptyBranch<T>();
        branch.branches.set(key, next);
        branch = next;
      }
      branch.items.push(item);
    },
    take: (isOpen, accepts) => nextOf(root, isOpen, accepts, true),
    pass: (isOpen, accepts) => nextOf(root, isOpen, accepts, false),
    remove: (path, item) => removeFrom(root, path, item),
    roundOf(path) {
      let branch: Branch<T> | undefined = root;
      let turns = 1;
      for (const key of path) {
        const waiting: number = branch?.branches.size ?? 0;
        turns *= Math.max(1, branch?.branches.has(key) === true ? waiting : waiting + 1);
        branch = branch?.branches.get(key);
      }
      return turns;
    },
  };
}

/** Items in the order in which their holders take turns. @param items on each level, earlier holders are first */
export function* inTurns<T>(items: Iterable<T>, pathOf: (item: T) => Turns): Generator<T> {
  const tree = createTurnTree<T>();
  for (const item of items) tree.add(pathOf(item), item);
  for (let next = tree.take(always, always); next !== undefined; next = tree.take(always, always)) yield next;
}
