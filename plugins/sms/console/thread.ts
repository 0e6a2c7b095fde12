import { useRef, useState } from 'preact/hooks';
import { readOnce, useRead, type ResultOf } from '#core/surfaces/console/kit/index.js';
import type { Sent } from './parties.js';

type Inbound = ResultOf<'sms.inbound.list'>['inbound'][number];

/** A text of a conversation. */
export type Said =
  | { readonly direction: 'in'; readonly id: string; readonly at: string; readonly text: Inbound }
  | { readonly direction: 'out'; readonly id: string; readonly at: string; readonly text: Sent };

const received = (text: Inbound): Said => ({ direction: 'in', id: text.inboundId, at: text.receivedAt, text });
const sent = (text: Sent): Said => ({ direction: 'out', id: text.messageId, at: text.createdAt, text });

const pageSize = 50;

/** Where the older pages of both lists begin; null if there are none. */
interface Next {
  readonly inbound: string | null;
  readonly messages: string | null;
}

interface Thread {
  /** Oldest first; undefined while it loads. */
  readonly said: readonly Said[] | undefined;
  readonly error: unknown;
  readonly again: () => void;
  /** Reads earlier texts; undefined if these are all. */
  readonly more: (() => void) | undefined;
  /** Why earlier texts could not be read. */
  readonly problem: unknown;
}

/**
 * What was texted to and from a number, merged from the two lists. A list with older pages hides what the other one has
 * from before its own oldest text, so that nothing is missing in between.
 */
export function useThread(number: string, pollMs: number | undefined): Thread {
  const inbound = useRead('sms.inbound.list', { from: number, limit: pageSize }, { pollMs });
  const messages = useRead('sms.message.list', { to: number, limit: pageSize }, { pollMs });
  const [next, setNext] = useState<Next>();
  const [problem, setProblem] = useState<unknown>();
  // Texts that new ones have pushed off the first page stay.
  const known = useRef(new Map<string, Said>());
  const keep = (all: readonly Said[]): void => all.forEach((each) => known.current.set(each.id, each));
  keep([...(inbound.data?.inbound ?? []).map(received), ...(messages.data?.messages ?? []).map(sent)]);
  const failed = [inbound, messages].find(({ error }) => error !== null && error !== undefined);
  const open: Next = next ?? {
    inbound: inbound.data?.nextBefore ?? null,
    messages: messages.data?.nextBefore ?? null,
  };

  const loadOlder = async (): Promise<void> => {
    const [olderInbound, olderMessages] = await Promise.all([
      open.inbound === null
        ? undefined
        : readOnce('sms.inbound.list', { from: number, limit: pageSize, before: open.inbound }),
      open.messages === null
        ? undefined
        : readOnce('sms.message.list', { to: number, limit: pageSize, before: open.messages }),
    ]);
    keep([...(olderInbound?.inbound ?? []).map(received), ...(olderMessages?.messages ?? []).map(sent)]);
    setProblem(undefined);
    setNext({ inbound: olderInbound?.nextBefore ?? null, messages: olderMessages?.nextBefore ?? null });
  };

  const all = [...known.current.values()].sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
  const oldest = (direction: Said['direction']): string => all.find((each) => each.direction === direction)?.at ?? '';
  const from = [
    ...(open.inbound === null ? [] : [oldest('in')]),
    ...(open.messages === null ? [] : [oldest('out')]),
  ].sort();
  return {
    said:
      inbound.data === undefined || messages.data === undefined
        ? undefined
        : all.filter(({ at }) => at >= (from.at(-1) ?? '')),
    error: failed?.error ?? null,
    again: () => failed?.again(),
    more: from.length === 0 ? undefined : () => void loadOlder().catch(setProblem),
    problem,
  };
}
