import { withoutIds, type Step, type StoredStep } from './tree.js';

/*
 * Matches the steps of an edited tree with the steps of the tree before. Runs are at steps, so a step that still exists
 * must keep its id, wherever it is now; its position is not enough to identify it.
 */

/** The text that two equal steps share, regardless of their ids. */
const stepText = (step: Step | StoredStep): string => {
  if (step.type !== 'branch') return JSON.stringify(sorted({ ...step, id: 0 }));
  const arms = [step.then, step.else].map((arm) => arm.map(stepText).join(','));
  return `branch ${JSON.stringify(sorted(step.if))} (${arms.join(') (')})`;
};

/** The same object with its names in order, so that equal objects have equal JSON. */
function sorted(value: object): unknown {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]: [string, unknown]) => [
    name,
    typeof inner === 'object' && inner !== null ? sorted(inner) : inner,
  ]);
}

/** What identifies a step. Steps that share it are the same step, edited. */
function identityOf(step: Step): string {
  switch (step.type) {
    case 'send':
      return `send ${step.channel} ${step.template}`;
    case 'property.set':
      return `property.set ${step.key}`;
    case 'branch':
      return `branch ${JSON.stringify(sorted(step.if))}`;
    case 'wait':
      return `wait ${step.seconds}`;
  }
}

interface OldStep {
  step: StoredStep;
  text: string;
}
interface NewStep {
  step: Step;
  text: string;
  /** The matching old step; undefined until one is found. */
  old: OldStep | undefined;
  arms: readonly (readonly NewStep[])[];
}

const oldOf = (step: StoredStep): OldStep => ({ step, text: stepText(step) });
const newOf = (step: Step): NewStep => ({
  step,
  text: stepText(step),
  old: undefined,
  arms: step.type === 'branch' ? [step.then.map(newOf), step.else.map(newOf)] : [],
});
const armsOf = (step: StoredStep): readonly (readonly StoredStep[])[] =>
  step.type === 'branch' ? [step.then, step.else] : [];

/** How likely an old and a new step are the same step; 0 for certainly not. */
type Likeness = (before: OldStep, after: NewStep) => number;

const equal: Likeness = (before, after) => (before.text === after.text ? 1 : 0);
const edited: Likeness = (before, after) => {
  if (before.text === after.text) return 4;
  if (before.step.type !== after.step.type) return 0;
  // Runs wait in wait steps, so a wait is kept in preference to a step that takes no time.
  if (before.step.type === 'wait') return 2;
  return identityOf(before.step) === identityOf(after.step) ? 3 : 1;
};

/** Matches two lists in order so that the sum of the likelihoods is highest, and marks the new steps. */
function align(before: readonly OldStep[], after: readonly NewStep[], likeness: Likeness): void {
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number): number => best[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const [left, right, line] = [before[row], after[column], best[row]];
      if (!left || !right || !line) continue;
      const alike = likeness(left, right);
      const matched = alike > 0 ? alike + at(row + 1, column + 1) : 0;
      line[column] = Math.max(matched, at(row + 1, column), at(row, column + 1));
    }
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    const [left, right] = [before[row], after[column]];
    if (!left || !right) return;
    const alike = likeness(left, right);
    if (alike > 0 && at(row, column) === alike + at(row + 1, column + 1)) {
      right.old = left;
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
}

/** The steps of two lists that are not matched yet, split into the ranges between matches. */
function gapsOf(
  before: readonly StoredStep[],
  after: readonly NewStep[],
  taken: ReadonlySet<number>,
): { before: OldStep[]; after: NewStep[] }[] {
  const gaps: { before: OldStep[]; after: NewStep[] }[] = [];
  let from = 0;
  let open: NewStep[] = [];
  const close = (until: number): void => {
    const left = before.slice(from, until).filter(({ id }) => !taken.has(id));
    if (left.length > 0 && open.length > 0) gaps.push({ before: left.map(oldOf), after: open });
    open = [];
  };
  for (const each of after) {
    const place = each.old ? before.findIndex(({ id }) => id === each.old?.step.id) : -1;
    if (!each.old) open.push(each);
    if (place < from) continue;
    close(place);
    from = place + 1;
  }
  close(before.length);
  return gaps;
}

/**
 * Gives the steps of an edited tree their ids: the ids of the old steps that they match, or new ones.
 *
 * First, equal steps are matched: in the same list and order, then steps that moved to another place. The remaining
 * steps are matched if they are between the same neighbours: a step of the same type there was edited.
 * @param nextId makes a new id
 */
export function keepIds(before: readonly StoredStep[], after: readonly Step[], nextId: () => number): StoredStep[] {
  const tree = after.map(newOf);
  const taken = new Set<number>();
  const take = (steps: readonly NewStep[]): void => {
    for (const { old } of steps) if (old) taken.add(old.step.id);
  };

  const matchEqual = (old: readonly StoredStep[], now: readonly NewStep[]): void => {
    align(old.map(oldOf), now, equal);
    take(now);
    for (const each of now)
      if (each.old) armsOf(each.old.step).forEach((arm, index) => matchEqual(arm, each.arms[index] ?? []));
  };
  matchEqual(before, tree);

  const moved = new Map<string, OldStep[]>();
  const collect = (steps: readonly StoredStep[]): void => {
    for (const step of steps) {
      const each = oldOf(step);
      if (!taken.has(step.id)) moved.set(each.text, [...(moved.get(each.text) ?? []), each]);
      armsOf(step).forEach(collect);
    }
  };
  collect(before);
  const matchMoved = (steps: readonly NewStep[]): void => {
    for (const each of steps) {
      const found = each.old ? undefined : moved.get(each.text)?.find(({ step }) => !taken.has(step.id));
      if (found) {
        each.old = found;
        taken.add(found.step.id);
        armsOf(found.step).forEach((arm, index) => matchEqual(arm, each.arms[index] ?? []));
      } else each.arms.forEach(matchMoved);
    }
  };

  const matchEdited = (old: readonly StoredStep[], now: readonly NewStep[], pass: 'about' | 'type'): void => {
    for (const gap of gapsOf(old, now, taken)) {
      align(gap.before, gap.after, (left, right) => {
        const alike = edited(left, right);
        return pass === 'about' && alike < 3 ? 0 : alike;
      });
      take(gap.after);
    }
    for (const each of now)
      if (each.old) armsOf(each.old.step).forEach((arm, index) => matchEdited(arm, each.arms[index] ?? [], pass));
  };
  // A branch whose arms were edited is recognised by its condition, before its steps can be mistaken for steps that
  // moved elsewhere.
  matchEdited(before, tree, 'about');
  matchMoved(tree);
  matchEdited(before, tree, 'about');
  matchEdited(before, tree, 'type');

  const number = (steps: readonly NewStep[]): StoredStep[] =>
    steps.map(({ step, old, arms: [thenArm = [], elseArm = []] }) => {
      const id = old?.step.id ?? nextId();
      if (step.type !== 'branch') return { ...step, id };
      return { ...step, id, then: number(thenArm), else: number(elseArm) };
    });
  return number(tree);
}

/** Whether two trees are the same except for their ids. */
export const sameSteps = (before: readonly StoredStep[], after: readonly Step[]): boolean =>
  withoutIds(before).map(stepText).join() === after.map(stepText).join();
