import { at, isRecord, listAt, parseJson, textAt } from '#core/runtime/json.js';
import { CliError } from '../../errors.js';
import { headerOf, tableRows } from '../files/csv.js';
import type { Entry } from '../files/entry.js';
import { jsonRecords, type JsonRecord } from '../files/json.js';
import { startOf } from '../files/text.js';
import type { Found, MovedConsent, MovedOptOut, MoveSettings, Note, Place } from '../found.js';
import { ipOf, isAddress, propertiesOf, timeOf } from '../values.js';
import { foundTemplate, templateName } from '../templates/found.js';
import { listmonkToLiquid } from '../templates/listmonk.js';
import { has, left, note, requireTopic, unequalCells, unknownLayout, type Source } from './source.js';

/*
 * listmonk exports subscribers as CSV (cmd/subscribers.go, ExportSubscribers: uuid, email, name, attributes, status,
 * created_at, updated_at), without their lists; the answer of GET /api/subscribers, and the data of one subscriber
 * (queries.sql, export-subscriber-data), are JSON with the lists and the state of each subscription.
 * GET /api/templates and GET /api/campaigns have bodies in Go's template language.
 */

const columns = ['uuid', 'email', 'name', 'attributes', 'status', 'created_at', 'updated_at'];
const wrappers = ['data', 'results'];
const help =
  'In listmonk, open Subscribers and Export, or store the response of GET /api/subscribers?per_page=all: only that names the lists of each subscriber.';

export const listmonk: Source = {
  service: 'listmonk',
  moves: 'contacts',
  async prepare(entries, settings) {
    const layouts = new Map<Entry, Layout>();
    for (const entry of entries) layouts.set(entry, await layoutOf(entry));
    if ([...layouts.values()].some((layout) => layout !== 'templates')) requireTopic('listmonk', settings, true);
    return async function* () {
      for (const [entry, layout] of layouts)
        if (layout === 'csv') yield* fromTable(entry, settings);
        else
          for await (const { place, value } of wholeRecords(entry))
            yield layout === 'templates' ? templateOf(place, value) : found(place, subscriberOf(value), settings);
    };
  },
};

type Layout = 'csv' | 'json' | 'templates';

async function layoutOf(entry: Entry): Promise<Layout> {
  if (/^[[{]/.test(await startOf(entry, 1))) {
    for await (const { value } of jsonRecords(entry, { wrappers })) {
      if (subscriberOf(value).email !== '') return 'json';
      if (textAt(value, 'body') !== null) return 'templates';
      throw unknownLayout(
        entry,
        Object.keys(value),
        [
          ['email', 'status', 'lists'],
          ['profile', 'subscriptions'],
          ['name', 'body'],
        ],
        help,
      );
    }
    return 'json';
  }
  const header = await headerOf(entry);
  if (!has(header, ['uuid', 'email', 'attributes', 'status'])) throw unknownLayout(entry, header, [columns], help);
  return 'csv';
}

/** A template of GET /api/templates, or a campaign of GET /api/campaigns. */
function templateOf(place: Place, value: Readonly<Record<string, unknown>>): Found {
  const text = (name: string): string => textAt(value, name) ?? '';
  const named = templateName('listmonk', text('name'));
  const type = text('content_type');
  if (type === 'markdown') return left(place, named.name, 'a campaign in Markdown: convert it to HTML first');
  const body = listmonkToLiquid(text('body'));
  const plain = text('altbody') === '' ? {} : { text: listmonkToLiquid(text('altbody')) };
  const parts = type === 'plain' ? { text: body } : { html: body, ...plain };
  return foundTemplate(place, named, { subject: listmonkToLiquid(text('subject')), ...parts });
}

/**
 * The records of an answer of the API, which answers in pages.
 * @throws CliError at the end of a page that is not all of them
 */
async function* wholeRecords(entry: Entry): AsyncGenerator<JsonRecord> {
  let [records, total] = [0, 0];
  const onFields = (fields: Readonly<Record<string, unknown>>): void => {
    const stated = fields['total'];
    if (typeof stated === 'number' && Number.isSafeInteger(stated)) total = Math.max(total, stated);
  };
  for await (const record of jsonRecords(entry, { wrappers, onFields })) {
    records++;
    yield record;
  }
  if (total > records)
    throw new CliError(
      `${entry.name} has ${records} of ${total} records: it is one page of the API’s answer.`,
      'Store the response of a call with per_page=all.',
    );
}

interface Subscriber {
  readonly uuid: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly subscriptions: readonly Subscription[];
}

interface Subscription {
  readonly list: string;
  readonly status: string;
  readonly createdAt: string | undefined;
  readonly ip: string | undefined;
}

/** A subscriber of the API, or of an export of one person's data. */
function subscriberOf(value: Readonly<Record<string, unknown>>): Subscriber {
  const { profile } = value;
  const [first] = listAt(value, 'profile');
  const person = first ?? profile ?? value;
  const attributes = at(person, 'attribs');
  return {
    uuid: textAt(person, 'uuid') ?? '',
    email: (textAt(person, 'email') ?? '').trim(),
    name: textAt(person, 'name') ?? '',
    status: textAt(person, 'status') ?? '',
    attributes: isRecord(attributes) ? attributes : {},
    subscriptions: [...listAt(value, 'lists'), ...listAt(value, 'subscriptions')].map((list) => ({
      list: textAt(list, 'name') ?? '',
      status: textAt(list, 'subscription_status') ?? '',
      createdAt: timeOf(
        textAt(list, 'subscription_created_at') ?? (value['lists'] ? null : textAt(list, 'created_at')),
      ),
      // Recorded if “Record opt-in IP” is on.
      ip: ipOf(textAt(list, 'subscription_meta', 'optin_ip') ?? ''),
    })),
  };
}

async function* fromTable(entry: Entry, settings: MoveSettings): AsyncGenerator<Found> {
  for await (const { place, cells, unequal } of tableRows(entry)) {
    const cell = (column: string): string => cells.get(column) ?? '';
    const parsed = cell('attributes') === '' ? {} : parseJson(cell('attributes'));
    const { subscription = 'unknown' } = settings;
    const [uuid, email, name, status] = [cell('uuid'), cell('email'), cell('name'), cell('status')];
    const reason =
      unequal !== undefined
        ? unequalCells(unequal, cells.size)
        : isRecord(parsed)
          ? undefined
          : 'attributes is not a JSON object';
    // Who opted out stays opted out, even if the other cells of the row cannot be read.
    if (reason !== undefined && status !== 'blocklisted' && subscription !== 'unsubscribed') {
      yield left(place, email, reason);
      continue;
    }
    // The list is that which the export was filtered by.
    const subscriptions = [{ list: '', status: subscription, createdAt: undefined, ip: undefined }];
    const attributes = isRecord(parsed) && reason === undefined ? parsed : {};
    const row = found(place, { uuid, email, name, status, attributes, subscriptions }, settings);
    yield reason === undefined ? row : { ...row, notes: [...row.notes, note(place, email, reason)] };
  }
}

/** https://listmonk.app/docs/concepts/: what the states mean. */
function found(place: Place, subscriber: Subscriber, settings: MoveSettings): Found {
  const { email, status } = subscriber;
  if (!isAddress(email)) return left(place, email, 'this is not an address');
  if (!['enabled', 'disabled', 'blocklisted'].includes(status))
    return left(place, email, `the status “${status}” is not known`);
  if (status === 'blocklisted')
    return {
      place,
      notes: [],
      person: {
        ...{ email, contact: undefined, consents: [], optOuts: [] },
        suppression: { note: 'listmonk: blocklisted', reason: 'blocklisted' },
      },
    };
  const { properties, notes } = propertiesOf(subscriber.attributes, place, email);
  const consents: MovedConsent[] = [];
  const optOuts: MovedOptOut[] = [];
  for (const subscription of subscriber.subscriptions) {
    const state = stateOf(subscription, status, settings);
    if ('note' in state) notes.push(note(place, email, state.note, state.failed));
    else if ('optOut' in state) optOuts.push(state.optOut);
    else consents.push(state.consent);
  }
  return {
    place,
    notes: dropRepeats(notes),
    person: {
      email,
      contact: { email, ...nameOf(subscriber.name, properties), properties: { ...properties } },
      // If two lists became one topic, an opt-out of one counts.
      consents: consents.filter(({ topic }) => !optOuts.some((each) => each.topic === topic)),
      optOuts,
      suppression: undefined,
    },
  };
}

const dropRepeats = (notes: readonly Note[]): Note[] =>
  notes.filter(
    (each, index) =>
      notes.findIndex(({ reason, column }) => reason === each.reason && column === each.column) === index,
  );

/** listmonk has one name. The last word is the last name, as in its own `{{ .Subscriber.LastName }}`. */
function nameOf(
  name: string,
  properties: Readonly<Record<string, unknown>>,
): { firstName?: string; lastName?: string } {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const [first] = words;
  if (first === undefined || name.length > 200 || 'firstName' in properties) return {};
  return words.length === 1
    ? { firstName: first }
    : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}

type State =
  | { readonly note: string; readonly failed: boolean }
  | { readonly optOut: MovedOptOut }
  | { readonly consent: MovedConsent };

function stateOf({ list, status, createdAt, ip }: Subscription, person: string, settings: MoveSettings): State {
  const topic = settings.topics.get(list) ?? settings.topic;
  const of = list === '' ? '' : ` of the list “${list}”`;
  if (topic === undefined)
    return { note: `subscriptions${of} have no topic here: pass --topic "${list}=<key>"`, failed: true };
  if (status === 'unsubscribed')
    return { optOut: { topic, source: `listmonk: unsubscribed${of}`.slice(0, 200), reason: 'unsubscribed' } };
  if (person === 'disabled') return { note: 'no consent: the subscriber is disabled', failed: false };
  if (status === 'unconfirmed') return { note: 'no consent: the subscription is unconfirmed', failed: false };
  if (status !== 'confirmed')
    return { note: 'no consent: a CSV export does not state the subscription (see --subscription)', failed: false };
  const evidence = { ...(createdAt === undefined ? {} : { givenAt: createdAt }), ...(ip === undefined ? {} : { ip }) };
  const source = `listmonk: confirmed subscription${of}`.slice(0, 200);
  return { consent: { topic, source, reason: 'confirmed subscription', ...evidence } };
}
