/*
 * Waiting items of holders that take turns on several levels: accounts first, then the environments of an account, then
 * what its environments share among themselves.
 */

interface Branch<T> {
  readonly items: T[];
  readonly branches: Map<string, Branch<T>>;
}

export interface TurnTree<T> {
  /** @param path the holder, from the outermost level inwards; on each level, holders take turns */
  add(path: readonly string[], item: T): void;
  /**
   * Removes and returns the next item. On each level, its holder goes to the end of the line.
   * @param isOpen whether a holder on the outermost level may have a turn now
   * @param accepts whether an item may be taken
   * @returns undefined if there is none
   */
  take(isOpen: (holder: string) => boolean, accepts: (item: T) => boolean): T | undefined;
}

const emptyBranch = <T>(): Branch<T> => ({ items: [], branches: new Map() });

/** Creates an empty tree. */
export function createTurnTree<T>(): TurnTree<T> {
  const root = emptyBranch<T>();

  function takeFrom(
    { items, branches }: Branch<T>,
    isOpen: (holder: string) => boolean,
    accepts: (item: T) => boolean,
  ): T | undefined {
    const at = items.findIndex(accepts);
    if (at >= 0) return items.splice(at, 1)[0];
    for (const [key, branch] of branches) {
      if (!isOpen(key)) continue;
      const item = takeFrom(branch, () => true, accepts);
      if (item === undefined) continue;
      branches.delete(key);
      if (branch.items.length > 0 || branch.branches.size > 0) branches.set(key, branch);
      return item;
    }
    return undefined;
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
    take: (isOpen, accepts) => takeFrom(root, isOpen, accepts),
  };
}
