import { phoneKey } from '#core/kernel/schema/phone.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import { directory } from '#plugins/account/ports.js';
import { contacts } from '#plugins/audience/ports.js';
import { deploymentSettings } from '../deployment/settings.js';
import { logNumber } from '../providers/log/provider.js';
import { isAllowed } from '../messages/destination.js';
import type { SmsSettingsValue } from '../settings/resources.js';
import { queueSystemText } from '../system-texts/queue-text.js';
import { numbers } from '../tables/number.js';
import type { InboundRow } from '../tables/inbound.js';
import type { KeywordMatch } from '../keywords/match.js';
import { replyTemplates } from './reply-templates.js';

/**
 * The number of answers that one phone number gets from an environment. A person needs fewer. A machine that answers
 * every answer with a keyword gets no more after that.
 */
const caps = [
  { max: 5, windowSeconds: 3_600 },
  { max: 20, windowSeconds: 86_400 },
];

/**
 * Answers a keyword, from the number that received the text: with the environment's own words, else with the built-in
 * text in the sender's language. It is also sent to a number that is suppressed by STOP. No answer is sent to numbers
 * of this deployment, to numbers that have had all their answers or are in countries that are not allowed, or while the
 * account is closed.
 */
export async function queueReply(
  context: FullContext,
  environment: Environment,
  { text, match, settings }: { text: InboundRow; match: KeywordMatch; settings: SmsSettingsValue },
): Promise<void> {
  if (environment.closedAt !== null) return;
  if (await isOwnNumber(context, text.fromNumber)) return;
  if (!(await countReply(context, environment, text.fromNumber))) return;
  if (environment.kind === 'live' && !isAllowed(context, environment, text.fromNumber)) return;
  const locale = await localeOf(context, environment, { text, match });
  const { supportEmail } = await context.use(directory).theme(environment);
  await queueSystemText(context, environment, {
    template: replyTemplates[match.keyword],
    ownText: settings.replies[match.keyword],
    to: text.fromNumber,
    answers: { inboundId: text.id, from: text.toNumber },
    variables: { contact: supportEmail },
    ...(locale === undefined ? {} : { locale }),
  });
}

/** Another environment's number, or the deployment's: two numbers that answer each other would never stop. */
async function isOwnNumber({ db, deployment }: FullContext, number: string): Promise<boolean> {
  const { smsFrom } = deployment.settingsOf(deploymentSettings);
  if (number === smsFrom || number === logNumber) return true;
  return (await db.count(numbers, { heldNumber: number })) > 0;
}

async function countReply({ db, clock }: FullContext, environment: Environment, number: string): Promise<boolean> {
  for (const { max, windowSeconds } of caps) {
    const key = `text answers|${windowSeconds}|${environment.id}|${phoneKey(number)}`;
    if ((await countAgainst(db, { key, max, windowSeconds, now: clock.now() })) > 0) return false;
  }
  return true;
}

/** The language to answer in: the contact's, unless the word is in other languages; undefined for the project's. */
async function localeOf(
  { use }: FullContext,
  environment: Environment,
  { text: { contactId }, match: { locales } }: { text: InboundRow; match: KeywordMatch },
): Promise<string | undefined> {
  const facts = contactId === null ? null : (await use(contacts).facts(environment.id, [contactId])).get(contactId);
  const own = facts?.locale ?? undefined;
  const project = locales.length > 1 ? await use(directory).locale(environment.projectId) : undefined;
  if (locales.length === 0) return own;
  return [own, project].find((tag) => locales.some((each) => tag?.split('-')[0] === each)) ?? locales[0];
}
