import { setTimeout as pause } from 'node:timers/promises';
import { at, isRecord, listAt, textAt } from '#core/runtime/json.js';
import { CliError, exit } from '../errors.js';
import { forEach, isRefusal, type Call } from './calls.js';
import type { MovedConsent, MovedOptOut, MovedPerson, Place } from './found.js';
import type { MoveReport } from './report.js';

/** Rows of one import, which takes 50,000 and 32 MiB. */
const maxRows = 5_000;
const maxBytes = 8 * 1024 * 1024;
/** Rows of one import of people who need separate calls: an interruption repeats no more. */
const maxRowsWithCalls = 500;

interface Placed {
  readonly place: Place;
  readonly person: MovedPerson;
}

interface PeopleWriter {
  add(place: Place, person: MovedPerson): Promise<void>;
  /** Writes what is left. */
  end(): Promise<void>;
}

/**
 * Writes people in batches: contacts and consents as imports; opt-outs, suppressions and consents with an IP address in
 * one call each. Add those who opted out first.
 * @param withIp whether to record IP addresses
 */
export function createPeopleWriter(call: Call, service: string, report: MoveReport, withIp: boolean): PeopleWriter {
  let batch: Placed[] = [];
  let bytes = 0;
  let calls = 0;
  const hasOwnCalls = ({ consents, optOuts, suppression }: MovedPerson): boolean =>
    optOuts.length > 0 || suppression !== undefined || (withIp && consents.some(({ ip }) => ip !== undefined));
  const flush = async (): Promise<void> => {
    const people = batch;
    [batch, bytes, calls] = [[], 0, 0];
    if (people.length > 0) await writeBatch(people, { call, service, report, withIp });
  };
  return {
    async add(place, person) {
      batch.push({ place, person });
      bytes += JSON.stringify(person).length;
      if (hasOwnCalls(person)) calls++;
      if (batch.length >= maxRows || bytes >= maxBytes || calls >= maxRowsWithCalls) await flush();
    },
    end: flush,
  };
}

interface Writing {
  readonly call: Call;
  readonly service: string;
  readonly report: MoveReport;
  readonly withIp: boolean;
}

async function writeBatch(people: readonly Placed[], writing: Writing): Promise<void> {
  const { withIp, service } = writing;
  const needsCall = (consent: MovedConsent): boolean => withIp && consent.ip !== undefined;
  const rows = people.filter(({ person }) => person.contact !== undefined);
  // The server matches by any identifier. A number that two people share must not give one the other's consents, so
  // people are matched by their address first; a number or id of somebody else is then refused.
  const first = await importContacts(rows, writing, ({ contact, consents }) => {
    const { phone: _phone, externalId: _id, ...fields } = contact ?? {};
    return { ...fields, consents: consents.filter((consent) => !needsCall(consent)).map(claimOf) };
  });
  const identified = rows.filter(({ person }) => !first.rejected.has(person) && hasIdentifiers(person));
  await importContacts(identified, writing, ({ contact }) => ({
    email: contact?.email,
    ...(contact?.phone === undefined ? {} : { phone: contact.phone }),
    ...(contact?.externalId === undefined ? {} : { externalId: contact.externalId }),
    consents: [],
  }));
  // An opt-out counts even if the rest of the row cannot be imported.
  const optedOut = rows.filter(({ person }) => first.rejected.has(person) && person.optOuts.length > 0);
  const second = await importContacts(optedOut, writing, ({ email }) => ({ email, consents: [] }));
  const allNew = first.allNew && optedOut.length === 0;
  await forEach(people, async ({ place, person }) => {
    if (first.rejected.has(person) && (person.optOuts.length === 0 || second.rejected.has(person))) return;
    try {
      if (person.suppression) await suppress(person.email, person.suppression.note, service, writing);
      for (const optOut of person.optOuts) await optOutOf(person.email, optOut, allNew, writing);
      const consents = first.rejected.has(person) ? [] : person.consents.filter(needsCall);
      for (const consent of consents) await grant(place, person.email, consent, allNew, writing);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await writing.report.note({ place, who: person.email, reason: `${error.code}: ${error.message}`, failed: true });
    }
  });
}

const claimOf = ({ topic, source, givenAt }: MovedConsent): object => ({
  ...{ topic, channel: 'email', source },
  ...(givenAt === undefined ? {} : { givenAt }),
});

const hasIdentifiers = ({ contact }: MovedPerson): boolean =>
  contact?.phone !== undefined || contact?.externalId !== undefined;

/** Imports contacts and waits for the end. @returns who was rejected, and whether all the others are new */
async function importContacts(
  rows: readonly Placed[],
  { call, report }: Writing,
  rowOf: (person: MovedPerson) => object,
): Promise<{ rejected: ReadonlySet<MovedPerson>; allNew: boolean }> {
  if (rows.length === 0) return { rejected: new Set(), allNew: false };
  const contacts = rows.map(({ person }) => rowOf(person));
  const accepted = await call('audience.contact.import', { contacts });
  const importId = textAt(accepted, 'import', 'id') ?? '';
  const done = await endOf(call, importId);
  const count = (name: string): number => Number(at(done, 'import', name) ?? 0);
  report.wrote('contacts created', count('created'));
  report.wrote('contacts updated', count('updated'));
  const rejected = new Set<MovedPerson>();
  for (let page = done; ;) {
    for (const rejection of listAt(page, 'rejected')) {
      const row = rows[Number(at(rejection, 'row')) - 1];
      if (!row) continue;
      rejected.add(row.person);
      const reason = `${textAt(rejection, 'code') ?? ''}: ${textAt(rejection, 'message') ?? ''}`;
      await report.note({ place: row.place, who: row.person.email, reason, failed: true });
    }
    const before = textAt(page, 'nextBefore');
    if (before === null) break;
    page = await call('audience.import.get', { importId, before });
  }
  return { rejected, allNew: count('created') === rows.length - rejected.size };
}

async function endOf(call: Call, importId: string): Promise<Readonly<Record<string, unknown>>> {
  for (let wait = 100; ; wait = Math.min(2 * wait, 2_000)) {
    const answer = await call('audience.import.get', { importId });
    const status = textAt(answer, 'import', 'status');
    if (status === 'done') return answer;
    if (status === 'failed')
      throw new CliError(
        `The import ${importId} failed.`,
        'Run the command again: it continues. If it fails again, see the server’s log.',
        exit.failure,
      );
    await pause(wait);
  }
}

/** A suppression that was lifted after an earlier run stays lifted. */
async function suppress(email: string, note: string, service: string, { call, report }: Writing): Promise<void> {
  const { suppressions } = await call('audience.suppression.list', { email, reason: 'manual', limit: 100 });
  const isOurs = (row: unknown): boolean => textAt(row, 'note')?.startsWith(service) === true;
  if (listAt({ suppressions }, 'suppressions').some((row) => at(row, 'liftedAt') === null || isOurs(row))) return;
  await call('audience.suppression.add', { email, note });
  report.wrote('suppressions added');
}

interface Current {
  readonly contactId: string;
  /** The current consents on email. */
  readonly consents: readonly { readonly topic: string; readonly state: string; readonly since: string }[];
}

async function currentOf(call: Call, email: string): Promise<Current> {
  const answer = await call('audience.contact.get', { email });
  const consents = listAt(answer, 'consents').filter((each) => textAt(each, 'channel') === 'email');
  return {
    contactId: textAt(answer, 'contact', 'id') ?? '',
    consents: consents.filter(isRecord).map((each) => ({
      topic: textAt(each, 'topic') ?? '',
      state: textAt(each, 'state') ?? '',
      since: textAt(each, 'since') ?? '',
    })),
  };
}

/**
 * Records an opt-out.
 * @param isNew whether the contact was just created
 */
async function optOutOf(
  email: string,
  { topic, source }: MovedOptOut,
  isNew: boolean,
  { call, report }: Writing,
): Promise<void> {
  if (!isNew && (await isOptedOut(call, email, topic, source))) return;
  const selected = topic === undefined ? {} : { topic };
  const { consents } = await call('audience.consent.revoke', { email, channel: 'email', source, ...selected });
  report.wrote(
    `opt-outs from ${topic ?? 'all topics'} recorded`,
    Array.isArray(consents) && consents.length > 0 ? 1 : 0,
  );
}

/** Whether an earlier run recorded the opt-out. Whoever subscribed again since then stays subscribed. */
async function isOptedOut(call: Call, email: string, topic: string | undefined, source: string): Promise<boolean> {
  const { contactId, consents } = await currentOf(call, email);
  const isRevoked = consents.some((each) => each.topic === topic && each.state === 'revoked');
  if (isRevoked) return true;
  const input = { contactId, channel: 'email', limit: 100, ...(topic === undefined ? {} : { topic }) };
  const records = listAt(await call('audience.consent.list', input), 'consents');
  return records.some((record) => textAt(record, 'source') === source && textAt(record, 'state') === 'revoked');
}

/** Records a consent with the IP address, unless it is recorded, or the person opted out later. */
async function grant(
  place: Place,
  email: string,
  { topic, source, givenAt, ip }: MovedConsent,
  isNew: boolean,
  { call, report }: Writing,
): Promise<void> {
  if (!isNew) {
    const known = (await currentOf(call, email)).consents.find((each) => each.topic === topic);
    if (known?.state === 'granted') return;
    if (known && (givenAt === undefined || known.since >= givenAt)) {
      await report.note({ place, who: email, reason: `no consent: opted out of ${topic} here, later`, failed: false });
      return;
    }
  }
  const evidence = { ...(givenAt === undefined ? {} : { givenAt }), ...(ip === undefined ? {} : { ip }) };
  try {
    await call('audience.consent.grant', { email, topic, channel: 'email', source, ...evidence });
    report.wrote(`consents to ${topic} recorded with the IP address`);
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'suppression_standing') throw error;
    await report.note({ place, who: email, reason: 'no consent: opted out of all mail here', failed: false });
  }
}
