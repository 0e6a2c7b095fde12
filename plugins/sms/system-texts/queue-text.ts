import type { FullContext } from '#core/kernel/context.js';
import { chargeSystemBudget, textRecipient } from '#core/messaging/system-budget.js';
import { newId } from '#core/runtime/id.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { SignInText, SignInTexts } from '#plugins/auth/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { acceptText } from '../messages/accept.js';
import type { MessageRow } from '../tables/message.js';
import { requireAllowed } from '../messages/destination.js';
import { checkNumbers } from '../messages/eligibility.js';
import { usageOf } from '../messages/metering.js';
import { countSegments } from '../segments.js';
import { renderSystemText, type SystemTextSource } from './render.js';
import { sendingState } from '../messages/sending-state.js';
import { deploymentSettings } from '../deployment/settings.js';

/** Provides auth's port `signInTexts`. */
export const makeSignInTexts = (context: FullContext): SignInTexts => ({
  available: (environment) => canSendTexts(context, environment),
  async queue(environment, text) {
    if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
    // A test environment sends nothing anywhere.
    if (environment.kind === 'live') requireAllowed(context, environment, text.to);
    const { budget } = text.template;
    if (budget !== 'notice') await chargeSystemBudget(context, environment, budget, textRecipient(text.to));
    const message = await queueSystemText(context, environment, text);
    return { messageId: message.id };
  },
});

/** A text that svc sends on a project's behalf. */
interface SystemText extends Omit<SignInText, 'variables'>, SystemTextSource {
  /**
   * The received text that it answers: it is sent from the number that received this text, even if the sender said
   * STOP.
   */
  readonly answers?: { readonly inboundId: string; readonly from: string };
  /** Its words in place of the template's text. */
  readonly ownText?: string | null;
}

/** Queues a system text in the caller's transaction, regardless of the budgets. It is charged and never refused. */
export async function queueSystemText(
  context: FullContext,
  environment: Environment,
  text: SystemText,
): Promise<MessageRow> {
  const { answers, ownText = null } = text;
  const purpose = { topic: null, isSystem: true, isAnswer: answers !== undefined };
  const [{ eligibility, from }, { content, template }] = await Promise.all([
    checkNumbers(context, environment, purpose, [text.to]),
    ownText === null ? renderSystemText(context, environment, text) : { content: ownText, template: null },
  ]);
  const [checked] = eligibility;
  if (!checked) throw new Error('The eligibility of the recipient was not checked.');
  const id = newId();
  const counted = countSegments(content);
  const usages = [usageOf(id, text.to, counted.segments)];
  const isQueued = checked.blockReason === null;
  // Before it is recorded: the tiers that the month has reached without this text.
  const price = isQueued ? await context.use(metering).estimate(environment, usages) : null;
  if (isQueued) await context.use(metering).record(environment, usages);
  return acceptText(context, {
    id,
    environment,
    isSystem: true,
    to: text.to,
    from: answers?.from ?? from,
    ...(answers ? { inReplyTo: answers.inboundId } : {}),
    body: content,
    counted,
    tags: {},
    template,
    topic: null,
    personId: text.personId ?? null,
    sendAfter: null,
    price,
    eligibility: checked,
  });
}

/**
 * Whether a system text could reach somebody: over a provider, from a number, under a registration if one is required;
 * or at /dev/phone, which exists if the server is not public.
 */
async function canSendTexts(
  { db, deployment }: Pick<FullContext, 'db' | 'deployment'>,
  environment: Environment,
): Promise<boolean> {
  const reachesPhones = deployment.settingsOf(deploymentSettings).smsUrl !== undefined;
  if (environment.kind === 'test') return !deployment.production;
  if (!reachesPhones && deployment.production) return false;
  return (await sendingState({ db, deployment }, environment)).problem === null;
}
