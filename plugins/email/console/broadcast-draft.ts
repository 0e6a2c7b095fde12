import type { ResultOf, Row } from '#core/surfaces/console/kit/index.js';
import { valuesOf, variablesOf } from './template-texts.js';

/* A broadcast while it is edited. */

type Broadcast = ResultOf<'email.broadcast.get'>['broadcast'];

export interface Draft {
  readonly name: string;
  readonly template: string;
  readonly from: string;
  readonly subject: string;
  readonly topic: string;
  readonly segmentId: string;
  readonly scheduledAt: string;
  /** The variables, as texts by dotted name. */
  readonly values: Readonly<Record<string, string>>;
}

/** A time as the browser's field has it. */
export const localTime = (at: string | null | undefined): string => {
  const date = new Date(at ?? '');
  return Number.isNaN(date.getTime())
    ? ''
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** @param start values that the address gives to a new one */
export const draftOf = (broadcast: Broadcast | undefined, start: Readonly<Record<string, string>>): Draft => ({
  name: broadcast?.name ?? '',
  template: broadcast?.template ?? start['template'] ?? '',
  from: broadcast?.from ?? '',
  subject: broadcast?.subject ?? '',
  topic: broadcast?.topic ?? start['topic'] ?? '',
  segmentId: broadcast?.segmentId ?? start['segmentId'] ?? '',
  scheduledAt: localTime(broadcast?.scheduledAt),
  values: valuesOf(broadcast?.variables ?? {}),
});

export const timeOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** What email.broadcast.update takes, of the fields that were changed. */
export function updateOf(changed: Row, draft: Draft) {
  const { name, template, from, topic, subject, segmentId, scheduledAt, values } = draft;
  return {
    ...('name' in changed ? { name: name.trim() } : {}),
    ...('template' in changed ? { template } : {}),
    ...('from' in changed ? { from } : {}),
    ...('topic' in changed ? { topic } : {}),
    ...('subject' in changed ? { subject: subject === '' ? null : subject } : {}),
    ...('segmentId' in changed ? { segmentId: segmentId === '' ? null : segmentId } : {}),
    ...('scheduledAt' in changed ? { scheduledAt: timeOf(scheduledAt) } : {}),
    ...('values' in changed ? { variables: variablesOf(values) } : {}),
  };
}
