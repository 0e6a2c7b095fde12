import { isSvcError, type Svc } from '#core/surfaces/sdk/index.js';
import { customer } from './people.js';
import { stories, templates } from './texts.js';

/** Where the story happens: a new deployment whose clock can be moved. */
interface World {
  /** With the live secret key of an empty account. */
  readonly svc: Svc;
  /** With the publishable key of the same environment. */
  readonly app: Svc;
  readonly projectId: string;
  /** Moves the clock. */
  advance(ms: number): void;
  /** Waits until no worker has due work. */
  settled(): Promise<void>;
  /** Says what has been done. */
  say(line: string): void;
}

const dayMs = 86_400_000;
const password = 'a demo with plenty of coffee';

/** How much happens. */
interface Amounts {
  readonly weeks: number;
  readonly customersAtFirst: number;
  readonly customersAWeek: number;
}

/**
 * Fills an empty account with the life of a small company: a coffee roastery with customers, a newsletter, orders, a
 * welcome series, users who sign in, colleagues and keys. Everything is done through the operations, as an app would.
 * @throws SvcError if an operation refuses
 */
export async function tellStory(world: World, { weeks, customersAtFirst, customersAWeek }: Amounts): Promise<void> {
  const { say } = world;
  await setUp(world);
  let customers = customersAtFirst;
  await importCustomers(world, 0, customers);
  say(`${customers} customers have joined.`);
  for (let week = 0; week < weeks; week += 1) {
    await importCustomers(world, customers, customers + customersAWeek);
    customers += customersAWeek;
    await sendNewsletter(world, week);
    for (let day = 0; day < 7; day += 1) {
      await oneDay(world, week * 7 + day, customers);
      world.advance(dayMs);
      await world.settled();
    }
    say(`Week ${week + 1} of ${weeks}: ${customers} customers.`);
  }
}

/** What a team does once. */
async function setUp({ svc, projectId }: World): Promise<void> {
  await svc.account.update({ name: 'Lumen Coffee' });
  await svc.account.project.update({ projectId, name: 'Lumen Coffee', timeZone: 'Europe/Berlin' });
  await svc.audience.topic.create({
    key: 'newsletter',
    name: 'Newsletter',
    description: 'One mail a week from the roastery.',
  });
  await svc.audience.topic.create({
    key: 'offers',
    name: 'Offers',
    description: 'A few times a year, when beans are on sale.',
  });
  for (const [template, locales] of Object.entries(templates)) {
    await svc.email.template.draft.save({ template, locales });
    await svc.email.template.publish({ template });
  }
  await svc.email.sender.set({
    fromName: 'Lumen Coffee',
    replyTo: 'hello@example.com',
    legalAddress: 'Lumen Coffee GmbH, Hafenstraße 12, 20457 Hamburg',
  });
  await svc.audience.segment.create({
    name: 'Subscribers',
    definition: { field: 'properties.plan', op: 'eq', value: 'subscription' },
  });
  await svc.audience.segment.create({
    name: 'Ten orders or more',
    definition: { field: 'properties.orders', op: 'gte', value: 10 },
  });
  const { ownAddress } = await svc.email.sender.get({});
  const { automation } = await svc.email.automation.create({
    name: 'Welcome series',
    triggerEvent: 'order.placed',
    steps: [
      { type: 'wait', seconds: 3_600 },
      { type: 'send', channel: 'email', template: 'welcome', topic: 'newsletter', from: ownAddress },
      { type: 'wait', seconds: 2 * 86_400 },
      {
        type: 'branch',
        if: { field: 'properties.plan', op: 'eq', value: 'subscription' },
        then: [{ type: 'property.set', key: 'welcomed', value: true }],
        else: [],
      },
    ],
  });
  await svc.email.automation.activate({ automationId: automation.id });
  await svc.developers.key.create({ name: 'Shop backend', permissions: ['account:read', 'developers:read'] });
  await svc.account.member.invite({ email: 'marketing@example.com', role: 'developer' });
  await svc.auth.settings.set({ redirectUrls: ['https://coffee.example.com'], password: { checkBreached: false } });
}

/** Imports customers with their consent, as from a shop. */
async function importCustomers({ svc, settled }: World, from: number, to: number): Promise<void> {
  const contacts = Array.from({ length: to - from }, (_, index) => customer(from + index));
  await svc.audience.contact.import({
    contacts,
    consents: [{ topic: 'newsletter', channel: 'email', source: 'checkout' }],
  });
  await settled();
}

/** Sends the newsletter of a week; every fourth one to the best customers only. */
async function sendNewsletter({ svc, settled }: World, week: number): Promise<void> {
  const { headline, story } = stories[week % stories.length] ?? stories[0];
  const { segments } = await svc.audience.segment.list({});
  const best = segments.find(({ name }) => name === 'Ten orders or more');
  const { broadcast } = await svc.email.broadcast.create({
    name: `Week ${week + 1}: ${headline}`,
    template: 'newsletter',
    topic: 'newsletter',
    from: (await svc.email.sender.get({})).ownAddress,
    variables: { headline, story, path: `stories/${week + 1}` },
    ...(week % 4 === 3 && best ? { segmentId: best.id } : {}),
  });
  await svc.email.broadcast.send({ broadcastId: broadcast.id });
  await settled();
}

/** An ordinary day: orders, people who sign in, and a few who leave. @param day counts from 0 */
async function oneDay(world: World, day: number, customers: number): Promise<void> {
  const { svc, app } = world;
  for (let order = 0; order < 2 + (day % 3); order += 1) {
    const { email, firstName } = customer((day * 13 + order * 29) % customers);
    const number = `L-${1_000 + day * 5 + order}`;
    await svc.email.send({
      to: email,
      template: 'order.shipped',
      variables: { number, firstName },
      tags: { kind: 'order' },
    });
    await svc.audience.event.record({
      email,
      name: 'order.placed',
      properties: { total: 12 + order * 4 },
      eventId: number,
    });
  }
  const { email, firstName, lastName } = customer((day * 17) % customers);
  await svc.auth.user.create({ email, emailVerified: true, name: `${firstName} ${lastName}`, password }).catch(ifKnown);
  for (const earlier of [0, 3, 11]) {
    if (earlier > day) continue;
    await app.auth.password
      .signin({ email: customer(((day - earlier) * 17) % customers).email, password })
      .catch(ifKnown);
  }
  if (day % 2 === 1)
    await svc.audience.consent.revoke({
      email: customer((day * 31) % customers).email,
      topic: 'newsletter',
      channel: 'email',
      source: 'preferences page',
    });
  if (day % 9 === 4)
    await svc.audience.suppression.add({
      email: customer((day * 37) % customers).email,
      note: 'Wrote that she moved away.',
    });
}

/** Errors of the story that an app meets as well: a user who exists already, or does not exist yet. */
function ifKnown(error: unknown): void {
  if (isSvcError(error) && (error.code === 'identity_taken' || error.code === 'invalid_credentials')) return;
  throw error;
}
