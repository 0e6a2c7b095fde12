import type { ReadContext } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { contacts, recipients, type AudienceCounts, type TopicFacts } from '#plugins/audience/ports.js';
import { senders } from '../tables/sender.js';
import type { BroadcastRow } from '../tables/broadcast.js';
import type { BroadcastReadiness, problemCodes } from './resources.js';
import { senderProblem } from './sender.js';
import { findTemplate, type BroadcastTemplate } from './template.js';

type Readiness = ValueOf<typeof BroadcastReadiness>;
type Problem = Readiness['problems'][number] & { code: (typeof problemCodes)[number] };

/** The fields of a broadcast that its readiness depends on. */
export type Checkable = Pick<
  BroadcastRow,
  'status' | 'template' | 'fromAddress' | 'topic' | 'segmentId' | 'variables' | 'subject'
>;

export interface CheckedBroadcast {
  readonly readiness: Readiness;
  /** Null unless a version is published. */
  readonly template: BroadcastTemplate | null;
}

/** Variables that every recipient of a broadcast has. */
const provided = ['contact', 'preferencesUrl', 'legalAddress'];

/**
 * Checks whether a broadcast can be sent: everything that is missing at once, and whom it would reach. Of one that was sent nothing is
 * checked any more.
 */
export async function checkReadiness(
  context: Pick<ReadContext, 'db' | 'use' | 'deployment'>,
  environment: Environment,
  broadcast: Checkable,
): Promise<CheckedBroadcast> {
  if (broadcast.status !== 'draft' && broadcast.status !== 'scheduled')
    return { readiness: { ok: true, problems: [], audience: null }, template: null };
  const { use, db } = context;
  const purpose = { channel: 'email', topic: broadcast.topic } as const;
  const audience = use(recipients);
  const [sender, unverified, topics, template, hasSegment] = await Promise.all([
    db.findOne(senders, { environmentId: environment.id }),
    senderProblem(context, environment, broadcast.fromAddress),
    audience.topicFacts(environment.id, [broadcast.topic]),
    findTemplate(context, environment.id, broadcast.template),
    broadcast.segmentId === null || audience.hasSegment(environment.id, broadcast.segmentId),
  ]);
  const topicProblem = topicProblemOf(topics.get(broadcast.topic));
  const missing = template ? await missingVariables(context, environment.id, broadcast, template) : [];
  const isCountable = topicProblem !== 'topic_unknown' && hasSegment;
  const counts = isCountable ? await audience.countAudience(environment.id, purpose, broadcast.segmentId) : null;
  const problems: Problem[] = [
    ...(unverified === null ? [] : [unverified]),
    ...(sender?.legalAddress ? [] : [legalAddressMissing]),
    ...(topicProblem === null ? [] : [topicUnknown(broadcast.topic, topicProblem)]),
    ...(template ? [] : [notPublished(broadcast.template)]),
    ...(missing.length > 0 ? [variablesMissing(missing)] : []),
    ...(hasSegment ? audienceProblems(counts, broadcast, topicProblem) : [segmentDeleted]),
  ];
  return { readiness: { ok: problems.length === 0, problems, audience: counts }, template };
}

/** The variables that the template needs and neither the broadcast nor any contact's properties provide. */
async function missingVariables(
  { use }: Pick<ReadContext, 'use'>,
  environmentId: string,
  { variables }: Checkable,
  template: BroadcastTemplate,
): Promise<string[]> {
  const own = new Set([...provided, ...Object.keys(variables)]);
  const asked = [...new Set(template.variables.map((name) => name.split(/[.[]/)[0] ?? name))].filter(
    (name) => !own.has(name),
  );
  const known = await use(contacts).knownProperties(environmentId, asked);
  return asked.filter((name) => !known.has(name));
}

const legalAddressMissing: Problem = {
  code: 'legal_address_missing',
  message: 'No postal address is set, which marketing mail must contain.',
  fix: 'Set legalAddress with email.sender.set.',
};

type TopicProblem = 'topic_unknown' | 'topic_archived' | 'topic_channel_missing';

/** Why nothing can be sent by email under a topic; null when it can. */
function topicProblemOf(topic: TopicFacts | undefined): TopicProblem | null {
  if (!topic) return 'topic_unknown';
  if (topic.archived) return 'topic_archived';
  return topic.channels.includes('email') ? null : 'topic_channel_missing';
}

const topicUnknown = (topic: string, problem: TopicProblem): Problem => ({
  code: 'topic_unknown',
  ...{
    topic_unknown: {
      message: `There is no topic “${topic}”.`,
      fix: 'Create it with audience.topic.create, or name another one with email.broadcast.update; audience.topic.list shows them.',
    },
    topic_archived: {
      message: `The topic “${topic}” is archived.`,
      fix: 'Restore it with audience.topic.restore, or name another one with email.broadcast.update.',
    },
    topic_channel_missing: {
      message: `The topic “${topic}” does not have the channel email.`,
      fix: 'Add the channel email with audience.topic.update, or name another topic with email.broadcast.update.',
    },
  }[problem],
});

const notPublished = (template: string): Problem => ({
  code: 'template_not_published',
  message: `There is no published template “${template}”.`,
  fix: 'Save it with email.template.draft.save and publish it with email.template.publish, or name another one with email.broadcast.update.',
});

const variablesMissing = (names: readonly string[]): Problem => ({
  code: 'variables_missing',
  message: `The template needs ${names.join(', ')}, which neither the broadcast’s variables nor any contact’s properties have.`,
  fix: 'Give them in variables with email.broadcast.update, store them as properties of contacts, or give them a default in the template.',
});

const segmentDeleted: Problem = {
  code: 'audience_empty',
  message: 'The segment was deleted.',
  fix: 'Name another segment, or null for none, with email.broadcast.update.',
};

function audienceProblems(
  counts: AudienceCounts | null,
  { topic, segmentId }: Checkable,
  topicProblem: TopicProblem | null,
): Problem[] {
  if (topicProblem !== null || counts === null || counts.eligible > 0) return [];
  return [
    {
      code: 'audience_empty',
      message: `No contact${segmentId === null ? '' : ' of the segment'} has granted the topic “${topic}” by email and can be reached.`,
      fix: 'Record consents with audience.consent.grant or audience.contact.import, or widen the segment.',
    },
  ];
}
