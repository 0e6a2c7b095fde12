import type { ReadContext, Reading } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { countAudienceOf, countedForMs, shownAudience } from '#core/messaging/broadcasts/audience.js';
import {
  checkBroadcast,
  isCheckable,
  isSentAtOnce,
  withProblem,
  type BackgroundCount,
  type CheckedFields,
  type ReadinessRules,
} from '#core/messaging/broadcasts/readiness.js';
import type { BroadcastTexts } from '#core/messaging/broadcasts/missing-variables.js';
import type { BroadcastReadiness } from '#core/messaging/broadcasts/resources.js';
import type { ReadinessProblem } from '#core/messaging/readiness.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import { contacts, recipients } from '#plugins/audience/ports.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import { sendingState } from '../messages/sending-state.js';
import { presentBlocked } from '../messages/present.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import { templateTables } from '../tables/template.js';
import { missingTemplateVariables } from '../messages/missing-variables.js';
import { expectedUsage, leftByCountry, oneText, reservedSegments as segmentsOf } from './metering.js';

const rules: ReadinessRules = {
  channel: 'sms',
  // Drafts of texts are not changed: a new one is created, and the old one is cancelled.
  edit: 'sms.broadcast.create',
  tables: broadcastTables,
  templates: templateTables,
  provided: [],
};

interface CheckedBroadcast {
  readonly readiness: ValueOf<typeof BroadcastReadiness>;
  /** Null unless a version is published. */
  readonly template: PublishedTemplate | null;
  /** Whether this call has counted the audience to its end. */
  readonly isCounted: boolean;
  readonly background: BackgroundCount;
  /** The most segments that one of its texts can have. */
  readonly reserved: number;
  /** The recipients it would reach, by the country of their number. */
  readonly recipients: ReadonlyMap<string | null, number>;
}

const nobody: ReadonlyMap<string | null, number> = new Map();

/**
 * Checks whether a broadcast can be sent: everything that is missing, and whom it would reach. Once a broadcast is
 * sent, it is no longer checked.
 */
export async function checkReadiness(
  context: Reading & Pick<ReadContext, 'clock'>,
  environment: Environment,
  broadcast: CheckedFields,
): Promise<CheckedBroadcast> {
  if (!isCheckable(broadcast))
    return {
      readiness: { ok: true, problems: [], audience: null },
      template: null,
      isCounted: true,
      background: 'none',
      reserved: 0,
      recipients: nobody,
    };
  const { use, db, deployment, clock } = context;
  const ports = { audience: use(recipients), properties: use(contacts), texts: textsOf(context, environment) };
  const [stateProblem, { problems: shared, audience, template, countedAt, background }] = await Promise.all([
    stateProblemOf(context, environment),
    checkBroadcast(db, rules, ports, environment.id, broadcast, {
      limit: deployment.settings.broadcastRecipients,
      now: clock.now(),
    }),
  ]);
  const reserved = template ? await segmentsOf(db, environment.id, template.versionId) : 0;
  const problems = [...(stateProblem === null ? [] : [stateProblem]), ...shared];
  return {
    readiness: { ok: problems.length === 0, problems, audience: shownAudience(audience, countedAt) },
    template,
    isCounted: background === 'none',
    background,
    reserved,
    recipients: audience.eligibleByCountry,
  };
}

/**
 * What is missing before a broadcast can be sent, as it is shown. This includes a draft that would exceed the spending
 * cap, which sending refuses with a separate code.
 */
export async function shownReadiness(
  context: Pick<ReadContext, 'db' | 'use' | 'deployment' | 'clock'>,
  environment: Environment,
  broadcast: CheckedFields & Pick<BroadcastRow, 'id' | 'scheduledAt'>,
): Promise<Pick<CheckedBroadcast, 'readiness' | 'background'>> {
  const { readiness, background, reserved, recipients } = await checkReadiness(context, environment, broadcast);
  if (!isSentAtOnce(broadcast, context.clock.now())) return { readiness, background };
  const usage = expectedUsage(broadcast.id, recipients, reserved);
  const problem = await capProblem(context, environment, usage, reserved);
  return { readiness: withProblem(readiness, problem), background };
}

/**
 * Explains that a broadcast would exceed the spending cap, and how its texts are counted: a broadcast that uses
 * variables usually costs less.
 */
async function capProblem(
  { use }: Pick<ReadContext, 'use'>,
  environment: Environment,
  usage: readonly Usage[],
  segments: number,
): Promise<ReadinessProblem | null> {
  const problem = await use(metering).capProblem(environment, usage);
  if (problem === null || segments === 1) return problem;
  const counted = `The estimate assumes the maximum of ${segments} segments per message. If the template uses variables, the maximum is maxSegments, which sms.settings.set can lower.`;
  return { ...problem, fix: `${problem.fix} ${counted}` };
}

/** The texts of a broadcast: its template's texts. */
const textsOf = ({ db }: Pick<ReadContext, 'db'>, { id: environmentId }: Environment): BroadcastTexts => ({
  ownVariables: [],
  missing: (template, variables) => missingTemplateVariables(db, environmentId, template, variables),
});

/** Whether the remaining texts of a broadcast that is held because of the spending cap fit into the cap. */
export async function checkCap(
  { use, db, clock }: Pick<ReadContext, 'use' | 'db' | 'clock'>,
  environment: Environment,
  broadcast: BroadcastRow,
): Promise<CheckedBroadcast['readiness']> {
  const { id, reservedSegments: segments } = broadcast;
  const audience = await countAudienceOf(use(recipients), 'sms', broadcast, { withinMs: countedForMs });
  const left = await leftByCountry(db, id, audience);
  const wanted = left.size === 0 ? oneText : left;
  const problem = await capProblem({ use }, environment, expectedUsage(id, wanted, segments), segments);
  return withProblem({ ok: true, problems: [], audience: shownAudience(audience, clock.now()) }, problem);
}

/**
 * Why no text of a live environment can be sent now, as a readiness problem. Test environments send none anyway: test
 * numbers play their outcomes.
 */
export async function stateProblemOf(
  context: Pick<ReadContext, 'db' | 'deployment'>,
  environment: Environment,
): Promise<ReadinessProblem | null> {
  if (environment.kind === 'test') return null;
  const { problem } = await sendingState(context, environment);
  const blocked = presentBlocked({ blockedReason: problem, blockedBy: null });
  return blocked && { code: blocked.reason, message: blocked.message, fix: blocked.fix };
}
