import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { acceptedMessage, storeMessages, type MessageFacts } from '#core/messaging/accept.js';
import { tagText } from '#core/messaging/input.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import { metering } from '#plugins/billing/ports.js';
import { attachmentParts } from '../tables/attachment-part.js';
import { attachments as attachmentTable } from '../tables/attachment.js';
import { contents } from '../tables/content.js';
import type { MessageRow, Submission } from '../tables/message.js';
import { tags as tagTable } from '../tables/tag.js';
import type { Attachment } from './attachments.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { emailDriver } from './driver.js';
import type { Content } from '../templates/content.js';
import type { AddressEligibility } from './eligibility.js';
import { newUsage } from './metering.js';
import { presentMessage } from './present.js';
import { sealedMails } from './sealed.js';

/** A mail that has passed every check. */
export interface NewMail extends MessageFacts {
  readonly environment: Environment;
  readonly from: { readonly address: string; readonly name: string | null };
  readonly replyTo: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** Display names of to, cc and replyTo, by address. */
  readonly names: Readonly<Record<string, string>>;
  /** Encrypted for system mail, because it may contain a code or a link. */
  readonly content: Content;
  readonly attachments: readonly Attachment[];
  readonly headers: Readonly<Record<string, string>>;
  /** Of a message that came by SMTP. */
  readonly submission?: Submission | undefined;
  /** One per recipient, in the order of to, cc, bcc. */
  readonly eligibility: readonly AddressEligibility[];
}

interface AcceptedMail {
  readonly message: MessageRow;
  /** The addresses that are left out. */
  readonly suppressed: readonly string[];
}

type Accepting = Context<'email.queued' | 'email.suppressed'>;

/**
 * Stores a system mail, queues it if the recipient may get it, and emits the event. System mail is metered but never
 * refused: it counts towards the account's cap and may exceed it.
 */
export async function acceptSystemMail(context: Accepting, mail: NewMail): Promise<AcceptedMail> {
  const made = makeMails(context, [mail]);
  await context.use(metering).record(mail.environment, newUsage(made.map(({ message }) => message)));
  const [accepted] = await storeMails(context, made);
  if (!accepted) throw new Error('The mail was not stored.');
  return accepted;
}

/**
 * Stores the mails of one call, queues the mails that a recipient may get, and emits their events, all in the caller's
 * next round trip; large contents need additional ones.
 * @param mails all of one environment and lane
 * @returns one result per mail, in their order; if they would exceed the account's cap, the refusal, and nothing is
 * stored
 */
export async function acceptMails(context: Accepting, mails: readonly NewMail[]): Promise<AcceptedMail[] | Refusal> {
  const [first] = mails;
  if (!first) return [];
  const made = makeMails(context, mails);
  const usage = newUsage(made.map(({ message }) => message));
  return (await context.use(metering).recordWithinCap(first.environment, usage)) ?? storeMails(context, made);
}

function makeMails(context: Accepting, mails: readonly NewMail[]): MadeMail[] {
  const now = context.clock.now();
  return mails.map((mail) => ({ mail, message: messageOf(context, mail, now) }));
}

async function storeMails(context: Accepting, made: readonly MadeMail[]): Promise<AcceptedMail[]> {
  const first = made[0]?.mail;
  if (!first) return [];
  const lane = first.isSystem ? 'system' : first.automation ? 'bulk' : 'transactional';
  const [last = [], ...before] = contentRows(context, made).toReversed();
  for (const statement of before.flat()) await context.db.run(statement);
  const rows = [...last, ...tagRows(made.map(({ message }) => message))];
  const accepted = made.map(({ mail, message }) => ({ message, eligibility: mail.eligibility }));
  await storeMessages(context, emailDriver, accepted, { lane, rows });
  for (const { mail, message } of made) await storeAttachmentParts(context, mail.attachments, message.id);
  return made.map(({ mail, message }) => {
    const suppressed = mail.eligibility.flatMap(({ address, blockReason }) => (blockReason === null ? [] : [address]));
    const event = {
      subjectId: message.id,
      data: { message: presentMessage(message, suppressed) },
      ...aboutPerson(message),
    };
    context.emit(message.status === 'queued' ? 'email.queued' : 'email.suppressed', event, mail.environment);
    return { message, suppressed };
  });
}

/** The row of a new message. */
const messageOf = (context: Accepting, mail: NewMail, now: Date): MessageRow => ({
  ...acceptedMessage(context, { id: newId(), now }, mail, mail.eligibility),
  fromAddress: mail.from.address,
  fromName: mail.from.name,
  replyTo: [...mail.replyTo],
  toAddresses: [...mail.to],
  ccAddresses: [...mail.cc],
  bccAddresses: [...mail.bcc],
  displayNames: Object.keys(mail.names).length > 0 ? { ...mail.names } : null,
  subject: mail.isSystem ? null : mail.content.subject,
  headers: { ...mail.headers },
  deliveredAt: null,
  bouncedAt: null,
  bounceKind: null,
  bounceCode: null,
  bounceDetail: null,
  submission: mail.submission ?? null,
});

interface MadeMail {
  readonly mail: NewMail;
  readonly message: MessageRow;
}

/**
 * The most characters of contents in one text of SQL: with four bytes each it stays below the server's
 * max_allowed_packet.
 */
const maxCharacters = 2 * 1024 * 1024;

/** The rows of contents and attachments, in groups that each fit into one text. */
function contentRows({ vault }: Pick<Context, 'vault'>, made: readonly MadeMail[]): Statement[][] {
  const groups: MadeMail[][] = [];
  let used = Infinity;
  for (const each of made) {
    const { text, html } = each.mail.content;
    const size = (text?.length ?? 0) + (html?.length ?? 0);
    if (used + size > maxCharacters) groups.push([]);
    used = used + size > maxCharacters ? size : used + size;
    groups.at(-1)?.push(each);
  }
  return groups.map((group) => {
    const kept = group.filter(({ message }) => message.contentId !== null);
    const rows = kept.map(({ mail: { isSystem, content }, message: { id } }) =>
      isSystem
        ? { id, textBody: null, htmlBody: null, sealed: sealedMails.seal(vault, id, content) }
        : { id, textBody: content.text, htmlBody: content.html, sealed: null },
    );
    const files = kept.flatMap(({ mail: { attachments }, message: { id } }) =>
      attachments.map(({ filename, contentType, contentId, content: data }, position) => ({
        contentId: id,
        position,
        filename,
        contentType,
        inlineId: contentId,
        bytes: data.length,
      })),
    );
    return [
      ...(rows.length > 0 ? [contents.insertRows(rows)] : []),
      ...(files.length > 0 ? [attachmentTable.insertRows(files)] : []),
    ];
  });
}

function tagRows(messages: readonly MessageRow[]): Statement[] {
  const rows = messages.flatMap(({ id, environmentId, tags }) =>
    Object.entries(tags).map(([name, value]) => ({ environmentId, tag: tagText(name, value), messageId: id })),
  );
  return rows.length > 0 ? [tagTable.insertRows(rows)] : [];
}

const partBytes = 1024 * 1024;

/** One statement per row, so that none exceeds the server's max_allowed_packet. */
async function storeAttachmentParts(
  { db }: Pick<Context, 'db'>,
  attachments: readonly Attachment[],
  contentId: string,
): Promise<void> {
  for (const [position, { content }] of attachments.entries()) {
    for (let part = 0; part * partBytes < content.length; part += 1) {
      const data = content.subarray(part * partBytes, (part + 1) * partBytes);
      await db.run(attachmentParts.insertRows([{ contentId, position, part, data }]));
    }
  }
}
