import { useEffect, useRef, useState } from 'preact/hooks';
import { has, readOnce, useRead, type Read, type ResultOf } from '#core/surfaces/console/kit/index.js';

type Inbound = ResultOf<'sms.inbound.list'>['inbound'][number];
export type Sent = ResultOf<'sms.message.list'>['messages'][number];

/** A person who has texted the environment. */
export interface Party {
  readonly number: string;
  /** Their newest text. */
  readonly newest: Inbound;
  /** The contact's name or address; '' if the number belongs to no contact. */
  readonly name: string;
  /** No text was sent to them by hand or by a program since their newest one. Keywords need no answer. */
  readonly isUnanswered: boolean;
  /** The reason of the suppression that blocks an answer, such as `stop`; '' if there is none. */
  readonly blockedBy: string;
  /** The newest text that was sent to them, without those of svc itself; undefined if there is none. */
  readonly sent: Sent | undefined;
}

/** How many people to read in full at a time. Each takes up to two calls. */
const atOnce = 20;
const mostRead = 100;

/** What was read about a person, beside their texts. */
interface Known {
  /** Their newest text at that time. */
  readonly inboundId: string;
  readonly name: string;
  readonly blockedBy: string;
  readonly sent: readonly Sent[];
}

/** A number that can be answered; short codes and sender names cannot. */
export const isAnswerable = (number: string): boolean => /^\+\d{7,15}$/.test(number);

/** What blocks an answer to a number. `unsubscribe` blocks only texts with a topic, which answers do not have. */
export const blockingSuppression = <S extends { readonly reason: string; readonly liftedAt?: string | null }>(
  suppressions: readonly S[],
): S | undefined => {
  const blocking = suppressions.filter(({ reason, liftedAt }) => !liftedAt && reason !== 'unsubscribe');
  return blocking.find(({ reason }) => reason === 'stop') ?? blocking[0];
};

/** The newest text of each sender, newest first. Texts of erased people have no sender. */
function sendersOf(inbound: readonly Inbound[]): Inbound[] {
  const senders = new Map<string, Inbound>();
  const newestFirst = [...inbound].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt));
  for (const text of newestFirst) if (text.from !== '' && !senders.has(text.from)) senders.set(text.from, text);
  return [...senders.values()];
}

async function readKnown({ inboundId, from, contactId, receivedAt }: Inbound, recent: Recent): Promise<Known> {
  const canAnswer = isAnswerable(from);
  const isCovered = recent.from === undefined || recent.from <= receivedAt;
  const [person, sent] = await Promise.all([
    !has('audience.contact.get')
      ? nobody
      : contactId !== null
        ? readOnce('audience.contact.get', { contactId }).then(
            ({ contact, suppressions }) => ({
              name:
                [contact.firstName, contact.lastName].filter((part) => part !== null && part !== '').join(' ') ||
                (contact.email ?? ''),
              blockedBy: blockingSuppression(suppressions.filter(({ channel }) => channel === 'sms'))?.reason ?? '',
            }),
            () => nobody,
          )
        : canAnswer
          ? readOnce('audience.suppression.list', { phone: from, channel: 'sms', limit: 10 }).then(
              ({ suppressions }) => ({
                name: '',
                blockedBy: blockingSuppression(suppressions)?.reason ?? '',
              }),
              () => nobody,
            )
          : nobody,
    isCovered || !canAnswer
      ? []
      : readOnce('sms.message.list', { to: from, limit: 10 }).then(({ messages }) => messages),
  ]);
  return { inboundId, ...person, sent };
}

/** If the member may not read the audience. */
const nobody = { name: '', blockedBy: '' } as const;

/** The newest texts that were sent to anybody. */
interface Recent {
  readonly messages: readonly Sent[];
  /** They are complete from this time on; undefined if they are all. */
  readonly from: string | undefined;
}

const recentOf = ({ messages, nextBefore }: ResultOf<'sms.message.list'>): Recent => ({
  messages,
  from: nextBefore === null ? undefined : messages.at(-1)?.createdAt,
});

/** Whether a text answers a person, as opposed to a broadcast, an automation and what svc sends by itself. */
const isAnswer = (text: Sent): boolean =>
  isShown(text) && text.broadcastId === null && text.automationId === null && text.status !== 'failed';

/** Whether a text was sent on the project's behalf, and not stopped before. */
const isShown = ({ system, status }: Sent): boolean => !system && status !== 'cancelled' && status !== 'suppressed';

function partyOf(newest: Inbound, known: Known | undefined, recent: readonly Sent[]): Party {
  const sent = [...recent.filter(({ to }) => to === newest.from), ...(known?.sent ?? [])].sort((a, b) =>
    b.createdAt.localeCompare(a.createdAt),
  );
  return {
    number: newest.from,
    newest,
    name: known?.name ?? '',
    blockedBy: known?.blockedBy ?? '',
    isUnanswered:
      (known?.blockedBy ?? '') === '' &&
      newest.keyword === null &&
      isAnswerable(newest.from) &&
      !sent.some((each) => each.createdAt >= newest.receivedAt && isAnswer(each)),
    sent: sent.find(isShown),
  };
}

interface Inbox {
  /** Unanswered ones first, then the newest; undefined while they load. */
  readonly parties: readonly Party[] | undefined;
  readonly error: unknown;
  readonly again: () => void;
  /** Reads more of them; undefined if these are all. */
  readonly more: (() => void) | undefined;
  /** Why more could not be read. */
  readonly problem: unknown;
}

/**
 * The people who have texted the environment, by its received texts.
 * @param pollMs how often it is read again; never if undefined
 */
export function useInbox(pollMs: number | undefined): Inbox {
  const [wanted, want] = useState(atOnce);
  const [older, setOlder] = useState<{ readonly next: string | null }>();
  const [problem, setProblem] = useState<unknown>();
  // Texts that new ones have pushed off the first page stay.
  const seen = useRef(new Map<string, Inbound>());
  const seenSent = useRef(new Map<string, Sent>());
  const reading = useRef(new Set<string>());
  const received = useRead('sms.inbound.list', { limit: mostRead }, { pollMs });
  const sent = useRead('sms.message.list', { limit: mostRead }, { pollMs });
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  const keep = (inbound: readonly Inbound[]): void => inbound.forEach((each) => seen.current.set(each.inboundId, each));
  keep(received.data?.inbound ?? []);
  for (const each of sent.data?.messages ?? []) seenSent.current.set(each.messageId, each);
  const senders = sendersOf([...seen.current.values()]);
  const shown = senders.slice(0, wanted);
  const next = older === undefined ? (received.data?.nextBefore ?? null) : older.next;
  const ready = received.data !== undefined && sent.data !== undefined;
  const missing = shown.filter(({ from, inboundId }) => known.get(from)?.inboundId !== inboundId);

  useEffect(() => {
    const unread = missing.filter(({ inboundId }) => !reading.current.has(inboundId));
    if (!sent.data || unread.length === 0) return;
    const recent = recentOf(sent.data);
    for (const { inboundId } of unread) reading.current.add(inboundId);
    void Promise.all(unread.map(async (each): Promise<[string, Known]> => [each.from, await readKnown(each, recent)]))
      .then((read) => setKnown((before) => new Map([...before, ...read])), setProblem)
      .finally(() => unread.forEach(({ inboundId }) => reading.current.delete(inboundId)));
  }, [ready, missing.map(({ inboundId }) => inboundId).join()]);

  const showMore = async (): Promise<void> => {
    // A page of texts may be of few people.
    if (senders.length < wanted + atOnce && next !== null) {
      const page = await readOnce('sms.inbound.list', { limit: mostRead, before: next });
      keep(page.inbound);
      setOlder({ next: page.nextBefore });
    }
    want(wanted + atOnce);
    setProblem(undefined);
  };

  const first = firstProblem(received, sent);
  return {
    parties:
      ready && (missing.length === 0 || known.size > 0 || problem !== undefined)
        ? shown
            .map((each) => partyOf(each, known.get(each.from), [...seenSent.current.values()]))
            .sort((a, b) => Number(b.isUnanswered) - Number(a.isUnanswered) || lastAt(b).localeCompare(lastAt(a)))
        : undefined,
    error: first?.error ?? null,
    again: () => first?.again(),
    more: senders.length > wanted || next !== null ? () => void showMore().catch(setProblem) : undefined,
    problem,
  };
}

const firstProblem = (...reads: readonly Read<unknown>[]): Read<unknown> | undefined =>
  reads.find(({ error }) => error !== null && error !== undefined);

/** When the newest text of a conversation was sent or received. */
export const lastAt = ({ newest, sent }: Party): string =>
  sent !== undefined && sent.createdAt > newest.receivedAt ? sent.createdAt : newest.receivedAt;
