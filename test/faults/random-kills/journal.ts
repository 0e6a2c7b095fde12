import { join } from 'node:path';
import { at, isRecord, recordAt } from '#test/support/json.js';
import { openLines } from './lines.js';

/** A call as its client knows it. Times are in milliseconds since 1970. */
export interface Entry {
  readonly key: string;
  readonly bearer: string;
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly begunAt: number;
  /** The first answer that says whether the call was accepted; undefined while that is unknown. */
  answer?: { readonly accepted: boolean; readonly text: string; readonly at: number };
  /** Whether an attempt was not answered, or not with an answer of this kind. */
  wasOpen?: boolean;
}

/** Something that was killed, and how long it did not serve. */
export interface Kill {
  readonly kind: string;
  readonly victim: string;
  readonly at: number;
  /** When everything served again. */
  readonly servedAt: number;
  /** From the kill, from the end of a stop, or from an orderly end, until then. */
  readonly recoveryMs: number;
  /** How long an orderly end took; 0 for other kills. */
  readonly endMs: number;
}

/** What reached a receiver: a mail, a text, a webhook or a charge. */
export interface Arrival {
  /** The id of the message, the body of the text, the id of the event, or the name of the customer. */
  readonly id: string;
  /** The address, the number, the path of the endpoint, or the charged amount. */
  readonly to: string;
  /** When it began and when it was taken. */
  readonly begunAt: number;
  readonly at: number;
  /** Equal for equal contents. */
  readonly digest: string;
}

/** What clients, receivers and the run have written down, in files that survive them. */
export interface Journal {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly kills: readonly Kill[];
  readonly mails: readonly Arrival[];
  readonly texts: readonly Arrival[];
  readonly webhooks: readonly Arrival[];
  readonly charges: readonly Arrival[];
  /** Writes down a call before it is made. */
  begin(entry: Entry): void;
  /** Writes down the answer of a call. */
  answered(entry: Entry, accepted: boolean, text: string): void;
  killed(kill: Kill): void;
  mail(arrival: Arrival): void;
  text(arrival: Arrival): void;
  webhook(arrival: Arrival): void;
  charge(arrival: Arrival): void;
  close(): void;
}

type CallLine = Omit<Entry, 'answer' | 'wasOpen'> | { key: string; accepted: boolean; text: string; at: number };

const textOf = (line: unknown, name: string): string => {
  const value = at(line, name);
  if (typeof value !== 'string') throw new Error(`No text “${name}” in ${JSON.stringify(line)}.`);
  return value;
};
const numberOf = (line: unknown, name: string): number => {
  const value = at(line, name);
  if (typeof value !== 'number') throw new Error(`No number “${name}” in ${JSON.stringify(line)}.`);
  return value;
};

const readArrival = (line: unknown): Arrival => ({
  id: textOf(line, 'id'),
  to: textOf(line, 'to'),
  begunAt: numberOf(line, 'begunAt'),
  at: numberOf(line, 'at'),
  digest: textOf(line, 'digest'),
});

const readKill = (line: unknown): Kill => ({
  kind: textOf(line, 'kind'),
  victim: textOf(line, 'victim'),
  at: numberOf(line, 'at'),
  servedAt: numberOf(line, 'servedAt'),
  recoveryMs: numberOf(line, 'recoveryMs'),
  endMs: numberOf(line, 'endMs'),
});

const readCall = (line: unknown): CallLine =>
  isRecord(line) && 'text' in line
    ? {
        key: textOf(line, 'key'),
        accepted: line['accepted'] === true,
        text: textOf(line, 'text'),
        at: numberOf(line, 'at'),
      }
    : {
        key: textOf(line, 'key'),
        bearer: textOf(line, 'bearer'),
        operation: textOf(line, 'operation'),
        input: recordAt(line, 'input'),
        begunAt: numberOf(line, 'begunAt'),
      };

/** Opens the journal of a run, with what earlier parts of the run have written. @param folder the run's folder */
export function openJournal(folder: string): Journal {
  const calls = openLines(join(folder, 'calls.jsonl'), readCall);
  const kills = openLines(join(folder, 'kills.jsonl'), readKill);
  const mails = openLines(join(folder, 'mails.jsonl'), readArrival);
  const texts = openLines(join(folder, 'texts.jsonl'), readArrival);
  const webhooks = openLines(join(folder, 'webhooks.jsonl'), readArrival);
  const charges = openLines(join(folder, 'charges.jsonl'), readArrival);
  const entries = new Map<string, Entry>();
  for (const line of calls.all) {
    if ('operation' in line) entries.set(line.key, line);
    else {
      const entry = entries.get(line.key);
      if (entry) entry.answer = { accepted: line.accepted, text: line.text, at: line.at };
    }
  }
  return {
    entries,
    kills: kills.all,
    mails: mails.all,
    texts: texts.all,
    webhooks: webhooks.all,
    charges: charges.all,
    begin(entry) {
      entries.set(entry.key, entry);
      calls.add(entry);
    },
    answered(entry, accepted, text) {
      entry.answer = { accepted, text, at: Date.now() };
      calls.add({ key: entry.key, ...entry.answer });
    },
    killed: (kill) => kills.add(kill),
    mail: (arrival) => mails.add(arrival),
    text: (arrival) => texts.add(arrival),
    webhook: (arrival) => webhooks.add(arrival),
    charge: (arrival) => charges.add(arrival),
    close() {
      for (const file of [calls, kills, mails, texts, webhooks, charges]) file.close();
    },
  };
}
