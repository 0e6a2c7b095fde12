import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { inbounds } from '../tables/inbound.js';
import { isMessageId, maxThreadOctets, messageIdsIn } from '../templates/thread-headers.js';
import { at, type IndexInCall } from './index-in-call.js';

/** The headers by which mail programs show an answer under what it answers. */
export type ThreadHeaders = Readonly<Partial<Record<'In-Reply-To' | 'References', string>>>;

interface Answer {
  readonly input: { readonly inReplyTo?: string | undefined };
  readonly indexInCall: IndexInCall;
}

interface AnsweredRow {
  id: Buffer;
  message_id: Buffer | null;
  refs: string | null;
  replied: string | null;
}

/**
 * The thread headers of the messages of a call that answer received messages, read together.
 * @param given the messages; `inReplyTo` is the id of a received message of the environment
 * @returns the headers of an id; none for a message that answers nothing
 * @throws not_found with `details.field` for the first id that is unknown, of another environment or deleted
 */
export async function threadsOf(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  given: readonly Answer[],
): Promise<(inReplyTo: string | undefined) => ThreadHeaders> {
  const ids = [...new Set(given.flatMap(({ input: { inReplyTo } }) => (inReplyTo === undefined ? [] : [inReplyTo])))];
  if (ids.length === 0) return () => ({});
  const rows = await db.rows<AnsweredRow>(
    `SELECT i.id, i.message_id, JSON_UNQUOTE(JSON_EXTRACT(c.headers, '$.references')) AS refs,
            JSON_UNQUOTE(JSON_EXTRACT(c.headers, '$."in-reply-to"')) AS replied
     FROM email_inbound i LEFT JOIN email_inbound_content c ON c.id = i.content_id
     WHERE i.id IN (?) AND i.environment_id = ? AND i.deleted_at IS NULL`,
    [ids.map(idBytes), idBytes(environmentId)],
  );
  const threads = new Map(rows.map((row) => [idText(row.id), threadOf(row)]));
  for (const { input, indexInCall } of given)
    at(indexInCall, () => {
      if (input.inReplyTo !== undefined && !threads.has(input.inReplyTo.toLowerCase())) throw unknownMessage();
    });
  return (inReplyTo) => (inReplyTo === undefined ? {} : (threads.get(inReplyTo.toLowerCase()) ?? {}));
}

function unknownMessage(): SvcError {
  const { code, status, message, fix, details } = refusalOf.not_found({ ...inbounds.notFound });
  return new SvcError(code, status, message, fix, { ...details, field: 'inReplyTo' });
}

/**
 * RFC 5322 3.6.4: In-Reply-To is the Message-ID of the answered message; References is its References, or else its
 * In-Reply-To if that has one id, and then its Message-ID.
 */
function threadOf({ message_id: stored, refs, replied }: AnsweredRow): ThreadHeaders {
  const own = stored?.toString() ?? '';
  const answered = isMessageId(own) ? [`<${own}>`] : [];
  const references = messageIdsIn(refs ?? '');
  const parents = messageIdsIn(replied ?? '');
  const before = references.length > 0 ? references : parents.length === 1 ? parents : [];
  const all = shortened([...before.filter((id) => !answered.includes(id)), ...answered]);
  return {
    ...(answered.length > 0 ? { 'In-Reply-To': answered.join(' ') } : {}),
    ...(all.length > 0 ? { References: all.join(' ') } : {}),
  };
}

/** The first id and as many of the last as fit: mail programs need the beginning of a thread and its end. */
function shortened(ids: readonly string[]): string[] {
  const [first, ...others] = ids;
  if (first === undefined) return [];
  let length = first.length;
  const kept: string[] = [];
  for (const id of others.toReversed()) {
    length += id.length + 1;
    if (length > maxThreadOctets) break;
    kept.unshift(id);
  }
  // An id that is too long beside the first is the answered one, which must be there.
  const last = others.at(-1);
  return kept.length === 0 && last !== undefined ? [last] : [first, ...kept];
}
