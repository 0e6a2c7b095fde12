import type { PropertyValue } from '#plugins/audience/contacts/value-key.js';
import { nameId } from '#plugins/audience/contacts/value-key.js';
import { idBytes } from '#core/runtime/id.js';
import { days, hours } from '#test/support/clock.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { topicOf } from '../support.js';
import { pickFrom, type Random } from './random.js';

/** The data of a contact, as the test created it. */
export interface Person {
  id: string;
  email: string | null;
  phone: string | null;
  locale: string | null;
  createdAt: Date;
  properties: Record<string, PropertyValue>;
  /** By channel and topic: `email.news`. */
  consents: Record<string, 'granted' | 'revoked'>;
  events: Record<string, { count: number; lastAt: Date }>;
  lastSentAt: Date | null;
}

export const texts = [
  'pro',
  'Pro',
  'free',
  'prö',
  'a%b',
  'a_b',
  'axb',
  '10',
  'true',
  'back\\slash',
  "o'clock",
  'пример',
];
export const numbers = [-5, -0.5, 0, 0.25, 1, 3, 10, 1e9];
export const dateTimes = [
  '2026-11-01T00:00:00Z',
  '2026-11-01T02:00:00+02:00',
  '2025-01-31T09:30:00.250Z',
  '2027-05-05T05:05:05Z',
];
export const keys = ['plan', 'order.total', 'mixed', 'since'];
export const locales = ['de', 'en', 'pt-BR'];
export const eventNames = ['order.placed', 'page.viewed'];

const sometimes = <T>(random: Random, share: number, value: () => T): T | null => (random() < share ? value() : null);

function someProperties(random: Random): Record<string, PropertyValue> {
  const mixed = (): PropertyValue => pickFrom<PropertyValue>(random, [...texts, ...numbers, ...dateTimes, true, false]);
  const all: Record<string, PropertyValue | null> = {
    plan: sometimes(random, 0.8, () => pickFrom(random, texts)),
    'order.total': sometimes(random, 0.7, () => pickFrom(random, numbers)),
    mixed: sometimes(random, 0.8, mixed),
    since: sometimes(random, 0.6, () => pickFrom(random, dateTimes)),
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, PropertyValue] => entry[1] !== null));
}

/**
 * Creates contacts with random data through the operations. Tallies, which depend on messages and time, are written
 * into their tables.
 */
export async function populate(
  platform: TestPlatform,
  { svc, live }: TestAccount,
  random: Random,
  count: number,
): Promise<Person[]> {
  const { database } = platform.running.services;
  for (const key of ['news', 'alerts']) await topicOf(svc, { key, name: key });
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 10 === 0) platform.clock.advance(hours(5));
    const email = sometimes(random, 0.8, () => `${pickFrom(random, ['Ada', 'grace', 'alan'])}${index}@example.com`);
    const phone = email === null || random() < 0.5 ? `+4915112${String(300_000 + index)}` : null;
    const locale = sometimes(random, 0.7, () => pickFrom(random, locales));
    const properties = someProperties(random);
    const states = {
      'email.news': sometimes(random, 0.6, () => pickFrom(random, ['granted', 'revoked'] as const)),
      'sms.news': sometimes(random, 0.3, () => pickFrom(random, ['granted', 'revoked'] as const)),
      'email.alerts': sometimes(random, 0.2, () => 'granted' as const),
    };
    const consents = Object.fromEntries(
      Object.entries(states).filter((entry): entry is [string, 'granted' | 'revoked'] => entry[1] !== null),
    );
    const granted = Object.keys(consents).map((name) => {
      const [channel = '', topic = ''] = name.split('.');
      return { topic, channel: channel === 'sms' ? ('sms' as const) : ('email' as const), source: 'form' };
    });
    const { contact } = await svc.call('audience.contact.upsert', {
      externalId: `person-${index}`,
      ...(email === null ? {} : { email }),
      ...(phone === null ? {} : { phone }),
      ...(locale === null ? {} : { locale }),
      properties,
      consents: granted,
    });
    for (const { topic, channel } of granted) {
      if (consents[`${channel}.${topic}`] === 'revoked')
        await svc.call('audience.consent.revoke', { contactId: contact.id, topic, channel, source: 'call' });
    }
    people.push({
      id: contact.id,
      email,
      phone,
      locale,
      createdAt: new Date(contact.createdAt),
      properties,
      consents,
      events: {},
      lastSentAt: null,
    });
  }
  const now = platform.clock.now();
  const ago = (most: number): Date => new Date(now.getTime() - Math.floor(random() * days(most)));
  for (const person of people) {
    for (const name of eventNames) {
      if (random() < 0.6) continue;
      const tally = { count: 1 + Math.floor(random() * 4), lastAt: ago(60) };
      person.events[name] = tally;
      await database.run(
        'INSERT INTO audience_event_tally (contact_id, name_id, `count`, last_at) VALUES (?, ?, ?, ?)',
        [idBytes(person.id), nameId(live.id, name), tally.count, tally.lastAt],
      );
    }
    if (random() < 0.5) continue;
    person.lastSentAt = ago(60);
    await database.run(
      'INSERT INTO audience_message_tally (contact_id, channel, environment_id, last_sent_at) VALUES (?, ?, ?, ?)',
      [idBytes(person.id), Buffer.from('email'), idBytes(live.id), person.lastSentAt],
    );
  }
  return people;
}
