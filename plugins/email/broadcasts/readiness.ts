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
import { stillToMake } from '#core/messaging/broadcasts/counts.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import { contacts, recipients } from '#plugins/audience/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { broadcastUsage } from '../messages/metering.js';
import { legalAddressMissing } from '../senders/sender.js';
import { senderProblem } from '../senders/sender-problem.js';
import { senders } from '../tables/sender.js';
import { templateTables } from '../tables/template.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import { missingTemplateVariables } from '../templates/missing-variables.js';
import { subscriberVariables } from '../templates/render.js';
import type { BroadcastReadiness } from './resources.js';

const rules: ReadinessRules = {
  channel: 'email',
  edit: 'email.broadcast.update',
  tables: broadcastTables,
  templates: templateTables,
  provided: subscriberVariables,
};

interface CheckedBroadcast {
  readonly readiness: ValueOf<typeof BroadcastReadiness>;
  /** Null unless a version is published. */
  readonly template: PublishedTemplate | null;
  /** Whether this call has counted the audience to its end. */
  readonly isCounted: boolean;
  readonly background: BackgroundCount;
}

/** Whether the remaining messages of a broadcast that is held because of the spending cap fit into the cap. */
export async function checkCap(
  { use, db, clock }: Pick<ReadContext, 'use' | 'db' | 'clock'>,
  environment: Environment,
  broadcast: BroadcastRow,
): Promise<CheckedBroadcast['readiness']> {
  const { id } = broadcast;
  const audience = await countAudienceOf(use(recipients), 'email', broadcast, { withinMs: countedForMs });
  const wanted = Math.max(await stillToMake(db, broadcastTables, id, audience), 1);
  const problem = await use(metering).capProblem(environment, broadcastUsage(id, wanted));
  return withProblem({ ok: true, problems: [], audience: shownAudience(audience, clock.now()) }, problem);
}

/**
 * Checks whether a broadcast can be sent: everything that is missing, and whom it would reach. Once a broadcast is
 * sent, it is no longer checked.
 */
export async function checkReadiness(
  context: Reading & Pick<ReadContext, 'clock'>,
  environment: Environment,
  broadcast: CheckedFields & Pick<BroadcastRow, 'fromAddress' | 'subject'>,
): Promise<CheckedBroadcast> {
  if (!isCheckable(broadcast))
    return {
      readiness: { ok: true, problems: [], audience: null },
      template: null,
      isCounted: true,
      background: 'none',
    };
  const { use, db, deployment, clock } = context;
  const texts = textsOf(context, environment, broadcast);
  const ports = { audience: use(recipients), properties: use(contacts), texts };
  const [sender, unverified, { problems: shared, audience, template, countedAt, background }] = await Promise.all([
    db.findOne(senders, { environmentId: environment.id }),
    senderProblem(context, environment, broadcast.fromAddress, `with ${rules.edit}`),
    checkBroadcast(db, rules, ports, environment.id, broadcast, {
      limit: deployment.settings.broadcastRecipients,
      now: clock.now(),
    }),
  ]);
  const problems = [
    ...(unverified === null ? [] : [unverified]),
    ...(sender?.legalAddress ? [] : [legalAddressMissing]),
    ...shared,
  ];
  return {
    readiness: { ok: problems.length === 0, problems, audience: shownAudience(audience, countedAt) },
    template,
    isCounted: background === 'none',
    background,
  };
}

/**
 * What is missing before a broadcast can be sent, as it is shown. This includes a draft that would exceed the spending
 * cap, which sending refuses with a separate code.
 */
export async function shownReadiness(
  context: Pick<ReadContext, 'db' | 'use' | 'deployment' | 'clock'>,
  environment: Environment,
  broadcast: CheckedFields & Pick<BroadcastRow, 'id' | 'scheduledAt' | 'fromAddress' | 'subject'>,
): Promise<Pick<CheckedBroadcast, 'readiness' | 'background'>> {
  const { readiness, background } = await checkReadiness(context, environment, broadcast);
  const count = readiness.audience?.eligible ?? 0;
  if (count === 0 || !isSentAtOnce(broadcast, context.clock.now())) return { readiness, background };
  const problem = await context.use(metering).capProblem(environment, broadcastUsage(broadcast.id, count));
  return { readiness: withProblem(readiness, problem), background };
}

/** The texts of a broadcast: its own subject, if it has one, and its template's texts. */
function textsOf(
  { db }: Pick<ReadContext, 'db'>,
  { id: environmentId }: Environment,
  { subject }: Pick<BroadcastRow, 'subject'>,
): BroadcastTexts {
  const checked = checkTemplate(subject ?? '', 'none');
  return {
    ownVariables: checked.ok ? checked.variables : [],
    missing(template, variables) {
      const given = { ...variables, preferencesUrl: '', legalAddress: '' };
      return missingTemplateVariables(db, environmentId, template, given, subject ?? undefined);
    },
  };
}
