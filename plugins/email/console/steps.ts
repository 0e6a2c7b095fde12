import {
  automationFamilies,
  operatorsOf,
  partsOf,
  rowAt,
  rowsAt,
  textAt,
  type Row,
} from '#core/surfaces/console/kit/index.js';

/*
 * The steps of an automation as a tree: every step has a place such as steps[1].then[0], as runs and problems name it.
 */

export const armsOf = (step: Row) =>
  textAt(step, 'type') === 'branch'
    ? (['then', 'else'] as const).map((arm) => ({ arm, steps: rowsAt(step, arm) }))
    : [];

/** Every step, changed by its place: it may become none, itself or several. */
function changed(steps: readonly Row[], change: (step: Row, place: string) => readonly Row[], list: string): Row[] {
  return steps.flatMap((step, at) => {
    const place = `${list}[${at}]`;
    const arms = armsOf(step).map(({ arm, steps: below }) => [arm, changed(below, change, `${place}.${arm}`)] as const);
    return [...change(arms.length === 0 ? step : { ...step, ...Object.fromEntries(arms) }, place)];
  });
}

export const withStep = (steps: readonly Row[], place: string, next: Row): Row[] =>
  changed(steps, (step, at) => [at === place ? next : step], 'steps');

export const withoutStep = (steps: readonly Row[], place: string): Row[] =>
  changed(steps, (step, at) => (at === place ? [] : [step]), 'steps');

/** With a step more, in a list such as steps[1].then. */
export function withInserted(steps: readonly Row[], list: string, index: number, added: Row, here = 'steps'): Row[] {
  const inner = steps.map((step, at): Row => ({
    ...step,
    ...Object.fromEntries(
      armsOf(step).map(({ arm, steps: below }) => [
        arm,
        withInserted(below, list, index, added, `${here}[${at}].${arm}`),
      ]),
    ),
  }));
  return here === list ? inner.toSpliced(index, 0, added) : inner;
}

export function stepAt(steps: readonly Row[], place: string): Row | undefined {
  const found: Row[] = [];
  changed(
    steps,
    (step, at) => {
      if (at === place) found.push(step);
      return [step];
    },
    'steps',
  );
  return found[0];
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in the largest unit that fits: 3 days. */
export function durationOf(seconds: number): { count: number; unit: (typeof units)[number][0] } {
  const [unit, length] = units.find(([, each]) => seconds % each === 0 && seconds >= each) ?? ['second', 1];
  return { count: seconds / length, unit };
}

export const secondsIn = (count: number, unit: string): number =>
  Math.round(count * (units.find(([name]) => name === unit)?.[1] ?? 1));

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A condition in words: plan is pro. */
export function conditionText(condition: Row): string {
  const { family, name } = partsOf(textAt(condition, 'field'));
  const kind = automationFamilies.find(({ value }) => value === family)?.text ?? family;
  const subject = family === 'properties' ? name : `${kind} ${name}`;
  const op = textAt(condition, 'op');
  const operator = operatorsOf(family).find(({ value }) => value === op)?.text ?? op;
  const value = condition['value'];
  const consent = family.startsWith('consent.') && typeof value === 'boolean';
  return `${subject} ${operator} ${consent ? (value ? 'subscribed' : 'unsubscribed') : plain(value)}`.trim();
}

/** A step in words: what it does, and with what. */
export function stepText(step: Row): { title: string; detail: string } {
  switch (textAt(step, 'type')) {
    case 'send':
      return {
        title: `${textAt(step, 'channel') === 'sms' ? 'Text' : 'Email'} “${textAt(step, 'template')}”`,
        detail: textAt(step, 'topic') === '' ? '' : `Topic ${textAt(step, 'topic')}`,
      };
    case 'wait': {
      const { count, unit } = durationOf(Number(step['seconds'] ?? 0));
      return { title: `Wait ${count} ${unit}${count === 1 ? '' : 's'}`, detail: '' };
    }
    case 'property.set':
      return {
        title: `Set ${textAt(step, 'key')}`,
        detail: step['value'] === null ? 'removed' : `to ${plain(step['value'])}`,
      };
    case 'branch':
      return { title: 'If', detail: conditionText(rowAt(step, 'if')) };
    default:
      return { title: textAt(step, 'type') || 'Unknown step', detail: '' };
  }
}

export const newSteps: readonly { readonly type: string; readonly text: string; readonly step: Row }[] = [
  { type: 'send', text: 'Send an email', step: { type: 'send', template: '', topic: '', from: '' } },
  { type: 'wait', text: 'Wait', step: { type: 'wait', seconds: 86_400 } },
  {
    type: 'branch',
    text: 'Branch',
    step: { type: 'branch', if: { field: 'properties.plan', op: 'eq', value: 'pro' }, then: [], else: [] },
  },
  { type: 'property.set', text: 'Set a property', step: { type: 'property.set', key: '', value: true } },
];
