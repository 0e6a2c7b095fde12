import type { Context } from '#core/kernel/context.js';
import { isMissed } from '#core/kernel/schema/future-date.js';
import type { ReadinessProblem } from '../readiness.js';
import { findPublishedTemplate, type PublishedTemplate } from '../templates/published.js';
import type { TemplateTables } from '../templates/tables.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import {
  countedForMs,
  nobody,
  type AudienceCounts,
  type AudienceProperties,
  type BroadcastAudience,
  type MessagingChannel,
} from './audience.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { missingVariables, variablesMissing, type BroadcastTexts } from './missing-variables.js';
import type { BroadcastReadiness } from './resources.js';
import type { AudienceQuestion, BroadcastFields } from '../broadcast-tables.js';
import { countInBackground, storedAudience, type AudienceTables } from './stored-audience.js';

/** The fields of a broadcast that its readiness depends on, on every channel. */
export type CheckedFields = Pick<
  BroadcastFields,
  'status' | 'template' | 'topic' | 'segmentId' | 'variables' | 'scheduledAt'
> &
  Partial<Pick<BroadcastFields, 'id' | 'holdReason'>>;

/** How a channel checks its broadcasts. */
export interface ReadinessRules {
  readonly channel: MessagingChannel;
  /** How a broadcast gets other fields, as the end of “name another one with …”. */
  readonly edit: string;
  readonly tables: AudienceTables;
  readonly templates: Pick<TemplateTables<unknown, unknown>, 'templates' | 'versions' | 'contents'>;
  /** Variables that every recipient has, in addition to `contact`. */
  readonly provided: readonly string[];
}

/**
 * What must be counted in the background: a question, because the call could not count it to its end; `kept` if it is
 * counted there already; `none` if the call has counted it.
 */
export type BackgroundCount = AudienceQuestion | 'kept' | 'none';

/** The checks of every channel. */
interface CheckedContent {
  readonly problems: readonly ReadinessProblem[];
  readonly audience: AudienceCounts;
  readonly countedAt: Date;
  readonly background: BackgroundCount;
  /** Null unless a version is published. */
  readonly template: PublishedTemplate | null;
}

/** The code of a draft whose time has passed; sending it refuses the field (ready-draft.ts). */
export const schedulePassed = 'schedule_passed';

/** Why a held broadcast could not start: the problem may still exist. */
const startProblems: readonly unknown[] = ['not_ready', 'audience_too_large'];

/** Whether anything is checked: for a broadcast that was sent, nothing is. */
export const isCheckable = ({ status, holdReason }: Pick<CheckedFields, 'status' | 'holdReason'>): boolean =>
  status === 'draft' || status === 'scheduled' || (status === 'held' && startProblems.includes(holdReason));

/**
 * Whether a broadcast is a draft whose cost is reserved from the spending cap when it is sent. For a scheduled
 * broadcast this happens at its time.
 */
export const isSentAtOnce = (
  { status, scheduledAt }: Pick<BroadcastFields, 'status' | 'scheduledAt'>,
  now: Date,
): boolean => status === 'draft' && (scheduledAt === null || scheduledAt <= now);

/** Readiness with one more problem, if there is one. */
export const withProblem = (
  readiness: ValueOf<typeof BroadcastReadiness>,
  problem: ReadinessProblem | null,
): ValueOf<typeof BroadcastReadiness> =>
  problem === null ? readiness : { ...readiness, ok: false, problems: [...readiness.problems, problem] };

/**
 * Checks topic, template, variables and audience of a broadcast: everything that is missing, together, and the contacts
 * it would reach.
 * @param limits the maximum number of contacts that a broadcast may go to, and the present time
 */
export async function checkBroadcast(
  db: Pick<ReadSession, 'rows'>,
  rules: ReadinessRules,
  {
    audience,
    properties,
    texts,
  }: { audience: BroadcastAudience; properties: AudienceProperties; texts: BroadcastTexts },
  environmentId: string,
  broadcast: CheckedFields,
  { limit, now }: { limit: number; now: Date },
): Promise<CheckedContent> {
  const { channel, templates } = rules;
  const { topic, segmentId } = broadcast;
  const [topics, template, hasSegment] = await Promise.all([
    audience.topicFacts(environmentId, [topic]),
    findPublishedTemplate(db, templates, environmentId, broadcast.template),
    segmentId === null || audience.hasSegment(environmentId, segmentId),
  ]);
  const facts = topics.get(topic);
  const topicProblem = !facts
    ? 'unknown'
    : facts.archived
      ? 'archived'
      : facts.channels.includes(channel)
        ? null
        : 'channelMissing';
  const missing = template
    ? await missingVariables({ properties, texts }, environmentId, broadcast, template, rules.provided)
    : null;
  const question = { topic, segmentId, properties: [...new Set(missing?.needed.map(({ property }) => property))] };
  const stored =
    hasSegment && broadcast.id !== undefined ? await storedAudience(db, rules.tables, broadcast.id, question) : null;
  const options = { withinMs: countedForMs, properties: question.properties };
  const counts = !hasSegment
    ? nobody
    : (stored?.counts ?? (await audience.countAudience(environmentId, { channel, topic }, segmentId, options)));
  // A broadcast that was counted to the end and then held is too large even if this count stopped early.
  const isTooLarge =
    counts.eligible > limit || (broadcast.holdReason === 'audience_too_large' && hasSegment && !counts.isExact);
  const isEmpty = topicProblem === null && counts.isExact && counts.eligible === 0;
  const unfilled = missing && variablesMissing(rules.edit, missing, counts);
  const problems = [
    ...(topicProblem === null ? [] : [topicUnknown(rules, topic, topicProblem)]),
    ...(template ? [] : [templateMissing(rules, broadcast.template)]),
    ...(unfilled === null ? [] : [unfilled]),
    ...(hasSegment ? (isEmpty ? [audienceEmpty(rules, broadcast)] : []) : [segmentDeleted(rules)]),
    ...(isTooLarge ? [tooLarge(rules, broadcast, counts, limit)] : []),
    ...missedSchedule(rules, broadcast, now),
  ];
  const background = stored ? 'kept' : counts.isExact ? 'none' : question;
  return { problems, audience: counts, countedAt: stored?.countedAt ?? now, background, template };
}

/** Has the audience of a draft counted in the background, as its check asks for. */
export async function countLater(
  context: Pick<Context, 'db' | 'clock' | 'wake'>,
  tables: AudienceTables,
  broadcast: Pick<BroadcastFields, 'id' | 'environmentId'>,
  background: BackgroundCount,
): Promise<void> {
  if (background !== 'kept')
    await countInBackground(context, tables, broadcast, background === 'none' ? null : background);
}

/** A draft whose time has passed: to send it now is a decision that nobody has made. */
const missedSchedule = (
  { edit }: ReadinessRules,
  { status, scheduledAt }: CheckedFields,
  now: Date,
): ReadinessProblem[] =>
  status === 'draft' && scheduledAt !== null && isMissed(scheduledAt, now)
    ? [
        {
          code: schedulePassed,
          message: `Its scheduledAt, ${scheduledAt.toISOString()}, has passed.`,
          fix: `Give the broadcast another scheduledAt with ${edit}, or none, then send it again.`,
        },
      ]
    : [];

const topicUnknown = (
  { channel, edit }: ReadinessRules,
  topic: string,
  problem: 'unknown' | 'archived' | 'channelMissing',
): ReadinessProblem => ({
  code: 'topic_unknown',
  ...{
    unknown: {
      message: `There is no topic “${topic}”.`,
      fix: `Create it with audience.topic.create, or set another topic with ${edit}; audience.topic.list lists them.`,
    },
    archived: {
      message: `The topic “${topic}” is archived.`,
      fix: `Restore it with audience.topic.restore, or set another topic with ${edit}.`,
    },
    channelMissing: {
      message: `The topic “${topic}” does not have the channel ${channel}.`,
      fix: `Add the channel ${channel} with audience.topic.update, or set another topic with ${edit}.`,
    },
  }[problem],
});

const templateMissing = ({ channel, edit }: ReadinessRules, template: string): ReadinessProblem => ({
  code: 'template_not_published',
  message: `There is no published template “${template}”.`,
  fix: `Save it with ${channel}.template.draft.save and publish it with ${channel}.template.publish, or set another template with ${edit}.`,
});

const tooLarge = (
  { edit }: ReadinessRules,
  { status }: CheckedFields,
  { eligible, isExact }: AudienceCounts,
  limit: number,
): ReadinessProblem => ({
  code: 'audience_too_large',
  message: `It would reach ${isExact ? eligible : `${Math.max(eligible, limit + 1)} or more`} contacts; the maximum is ${limit}.`,
  fix:
    status === 'draft'
      ? `Set a smaller segment with ${edit}, and send it in parts.`
      : 'Cancel it, and create several broadcasts with smaller segments.',
});

const segmentDeleted = ({ edit }: ReadinessRules): ReadinessProblem => ({
  code: 'audience_empty',
  message: 'The segment was deleted.',
  fix: `Set another segment, or none, with ${edit}.`,
});

const audienceEmpty = ({ channel }: ReadinessRules, { topic, segmentId }: CheckedFields): ReadinessProblem => ({
  code: 'audience_empty',
  message: `No contact${segmentId === null ? '' : ' of the segment'} has granted the topic “${topic}” by ${channel} and can be reached.`,
  fix: 'Record consents with audience.consent.grant or audience.contact.import, or widen the segment.',
});
