import { newId } from '#core/runtime/id.js';
import { receiveMail } from '#plugins/email/inbound/receive.js';
import type { Operation } from '#core/kernel/operation.js';
import { addMember } from '#test/account/support.js';
import { addedIdentity, signedIn, startedCode, userOf } from '#test/auth/support.js';
import { secondFactorThings } from '#test/auth/factor/contract.js';
import { passkeyThings } from '#test/auth/passkey/contract.js';
import { setupIdOf } from '#test/billing/payment/contract.js';
import { operatorOf } from '#test/billing/support.js';
import { broadcasts } from '#plugins/email/tables/broadcast.js';
import { domains } from '#plugins/email/tables/domain.js';
import { textBroadcastIdAt, textBroadcastThings } from '#test/sms/broadcast/contract.js';
import { inboundIdAt } from '#test/sms/inbound/contract.js';
import { textIdAt } from '#test/sms/message/contract.js';
import { numberIdAt } from '#test/sms/number/contract.js';
import { publish } from '#test/email/broadcast/support.js';
import { activeAutomation, automationOf, signUp } from '#test/email/automation/support.js';
import { hours } from '#test/support/clock.js';
import type { Maker } from './contract.js';
import { contracts } from './contracts.js';
import { requiredIds } from './operations.js';
import { apiOf, type Place } from './place.js';
import { organizationIdAt, organizationThings } from './organizations.js';

export type { Place } from './place.js';

/** A received message with one attachment. */
async function receivedMail({ platform, account, side }: Place): Promise<{ inboundId: string; attachmentId: string }> {
  const { services } = platform.running;
  const raw = Buffer.from(
    `From: ada@example.com\r\nMessage-ID: <${newId()}@example.com>\r\nContent-Type: application/pdf\r\n\r\nPDF\r\n`,
  );
  const received = await receiveMail(services, {
    environment: account[side],
    recipients: ['help@shop.mail.localhost'],
    envelopeFrom: 'ada@example.com',
    raw,
    client: { ip: null, helo: null },
  });
  const inboundId = received.kind === 'stored' ? received.stored[0]?.inboundId : undefined;
  if (inboundId === undefined) throw new Error('The mail was not stored.');
  const { attachments } = await apiOf({ platform, account, side }).call('email.inbound.get', { inboundId });
  return { inboundId, attachmentId: attachments[0]?.attachmentId ?? '' };
}

/** An endpoint that cannot be reached. */
async function endpointOf(place: Place): Promise<{ endpointId: string }> {
  const input = { url: 'https://127.0.0.1:1/', eventTypes: ['account.*'] };
  return (await apiOf(place).call('developers.webhook.create', input)).endpoint;
}

/** A failed delivery, which can be replayed. */
async function testedDelivery(place: Place): Promise<{ deliveryId: string; eventId: string }> {
  const { endpointId } = await endpointOf(place);
  return (await apiOf(place).call('developers.webhook.test', { endpointId })).delivery;
}

/** A domain that was proven, so that it can receive, and is pending, so that a check changes it. */
async function addedDomain({ platform, account }: Place): Promise<string> {
  const { id, domain } = (await account.svc.call('email.domain.add', { domain: `${newId()}.example.com` })).domain;
  await platform.running.services.database.update(domains, { id }, { provenDomain: domain });
  return id;
}

/** Test environments have no domains of their own: a row as of a live one, to see that nobody else reaches it. */
async function insertedDomain(place: Place): Promise<string> {
  const { database } = place.platform.running.services;
  const row = await database.findOne(domains, { id: await addedDomain(place) });
  if (!row) throw new Error('The domain was not added.');
  const id = newId();
  await database.insert(domains, { ...row, id, environmentId: place.account.test.id, provenDomain: null });
  return id;
}

/**
 * Creates the thing that an id field names, by the field's name, or by `<product>.<field>` where products use one name
 * for different things. A product's own contract (contract.ts) comes first.
 */
const makers: Readonly<Record<string, Maker>> = {
  environmentId: { owner: 'environment', make: async ({ account, side }) => account[side].id },
  accountId: { owner: 'account', make: async ({ account }) => account.accountId },
  creditId: {
    owner: 'account',
    make: async ({ platform, account: { accountId } }) =>
      (await operatorOf(platform).call('billing.credit.record', { accountId, amount: '50', reason: 'Welcome' })).credit
        .id,
  },
  activityId: {
    owner: 'environment',
    make: async (place) => (await apiOf(place).envelope('account.theme.reset', {})).activityId,
  },
  'auth.userId': { owner: 'environment', make: ({ platform, account, side }) => userOf(platform, account[side]) },
  'auth.keyId': {
    owner: 'environment',
    make: async (place) => (await apiOf(place).call('auth.signingKey.rotate', {})).previous.keyId,
  },
  organizationId: { owner: 'environment', make: organizationIdAt },
  keyId: {
    owner: 'environment',
    async make(place) {
      const input = { name: 'Shop', permissions: ['account:read' as const] };
      return (await apiOf(place).call('developers.key.create', input)).key.id;
    },
  },
  memberId: {
    owner: 'account',
    make: async ({ platform, account }) => (await addMember(platform, account, { role: 'viewer' })).id,
  },
  projectId: { owner: 'account', make: async ({ account }) => account.projectId },
  endpointId: { owner: 'environment', make: async (place) => (await endpointOf(place)).endpointId },
  deliveryId: { owner: 'environment', make: async (place) => (await testedDelivery(place)).deliveryId },
  eventId: { owner: 'environment', make: async (place) => (await testedDelivery(place)).eventId },
  importId: {
    owner: 'environment',
    async make(place) {
      const contacts = [{ email: 'ada@example.com' }];
      return (await apiOf(place).call('audience.contact.import', { contacts })).import.id;
    },
  },
  contactId: {
    owner: 'environment',
    async make(place) {
      const input = { email: `${newId()}@example.com` };
      return (await apiOf(place).call('audience.contact.upsert', input)).contact.id;
    },
  },
  suppressionId: {
    owner: 'environment',
    async make(place) {
      const input = { email: `${newId()}@example.com` };
      return (await apiOf(place).call('audience.suppression.add', input)).suppression.id;
    },
  },
  segmentId: {
    owner: 'environment',
    async make(place) {
      const input = { name: newId(), definition: { field: 'email', op: 'exists' } };
      return (await apiOf(place).call('audience.segment.create', input)).segment.id;
    },
  },
  domainId: {
    owner: 'environment',
    make: (place) => (place.side === 'live' ? addedDomain(place) : insertedDomain(place)),
  },
  inboundId: { owner: 'environment', make: async (place) => (await receivedMail(place)).inboundId },
  'sms.inboundId': { owner: 'environment', make: inboundIdAt },
  attachmentId: { owner: 'environment', make: async (place) => (await receivedMail(place)).attachmentId },
  'email.broadcastId': {
    owner: 'environment',
    async make(place) {
      const { ownAddress: from } = await apiOf(place).call('email.sender.get', {});
      const input = { name: 'News', template: 'news', topic: 'news', from };
      return (await apiOf(place).call('email.broadcast.create', input)).broadcast.id;
    },
  },
  automationId: {
    owner: 'environment',
    make: async (place) => (await automationOf(apiOf(place))).id,
  },
  runId: {
    owner: 'environment',
    async make(place) {
      const svc = apiOf(place);
      const { id: automationId } = await activeAutomation(svc);
      const { contact } = await svc.call('audience.contact.upsert', { email: `${newId()}@example.com` });
      await signUp(svc, contact.id);
      return (await svc.call('email.automation.run.list', { automationId })).runs[0]?.id ?? '';
    },
  },
  numberId: { owner: 'environment', make: numberIdAt },
  'sms.broadcastId': { owner: 'environment', make: textBroadcastIdAt },
  'sms.messageId': { owner: 'environment', make: textIdAt },
  setupId: { owner: 'account', make: ({ platform, account }) => setupIdOf(platform, account) },
  'email.messageId': {
    owner: 'environment',
    async make(place) {
      const sendAfter = new Date(place.platform.clock.now().getTime() + hours(1)).toISOString();
      const mail = { to: place.account.ownerEmail, subject: 'Later', text: 'Later.', sendAfter };
      return (await apiOf(place).call('email.send', mail)).messageId;
    },
  },
};

export const makerOf = (product: string, field: string): Maker | undefined =>
  contracts.get(product)?.things?.[field] ?? makers[`${product}.${field}`] ?? makers[field];

/** @throws Error saying where to add it, where a field has no maker */
function makeThing(product: string, field: string, place: Place): Promise<string> {
  const maker = makerOf(product, field);
  if (!maker)
    throw new Error(
      `Operations of ${product} take a ${field}, and the contract tests cannot make one: add things: { ${field}: { owner, make } } to the defineContract({…}) that test/${product}/contract.ts exports as default.`,
    );
  return maker.make(place);
}

/** A broadcast with a status, of which nothing is left to do, so that no worker changes it. */
const broadcastThatIs =
  (status: 'sending' | 'held') =>
  async (place: Place): Promise<{ broadcastId: string }> => {
    const broadcastId = await makeThing('email', 'broadcastId', place);
    const { database } = place.platform.running.services;
    await database.run(
      broadcasts.updateRow(
        { id: broadcastId },
        { status, sentAt: place.platform.clock.now(), fannedOutAt: place.platform.clock.now() },
      ),
    );
    return { broadcastId };
  };

/** A draft that is ready to be sent. */
async function readyBroadcast(place: Place): Promise<{ broadcastId: string }> {
  const [svc, key] = [apiOf(place), newId()];
  await svc.call('audience.topic.create', { key, name: key });
  await svc.call('email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
  const { ownAddress } = await svc.call('email.sender.get', {});
  const texts = { en: { subject: 'News', text: 'Hello' } };
  await publish({ svc }, texts, { name: key });
  const consents = [{ topic: key, channel: 'email' as const, source: 'form' }];
  await svc.call('audience.contact.upsert', { email: 'ada@example.com', consents });
  const input = { name: 'News', template: key, topic: key, from: ownAddress };
  return { broadcastId: (await svc.call('email.broadcast.create', input)).broadcast.id };
}

/** A second, proven address of a user who has just signed in. */
async function ownIdentity({ platform, account, side }: Place): Promise<Record<string, string>> {
  const { accessToken, userId } = await signedIn(platform, account[side]);
  const identityId = await addedIdentity(platform, account[side], userId, { email: `${newId()}@example.com` });
  return { accessToken, identityId };
}

/** Ids that belong together, by operation. */
const together: Readonly<Record<string, (place: Place) => Promise<Record<string, string>>>> = {
  ...organizationThings,
  'email.broadcast.pause': broadcastThatIs('sending'),
  'email.broadcast.resume': broadcastThatIs('held'),
  'email.broadcast.send': readyBroadcast,
  'email.inbound.attachment.get': receivedMail,
  'auth.identity.primary.set': ownIdentity,
  'auth.identity.remove': ownIdentity,
  'auth.identity.verify': async ({ platform, account, side }) => {
    const { accessToken, userId } = await signedIn(platform, account[side]);
    const proof = { email: 'ada@work.example', userId };
    return { accessToken, challengeId: await startedCode(platform, account[side], proof) };
  },
  ...textBroadcastThings,
  ...secondFactorThings,
  ...passkeyThings,
  'auth.signin.verify': async ({ platform, account, side }) => ({
    challengeId: await startedCode(platform, account[side]),
  }),
};

/**
 * What an operation of end users takes beside ids: a user who has just signed in. Things that belong to the user bring
 * their own.
 */
async function credentialsOf(
  { access }: Operation,
  { platform, account, side }: Place,
): Promise<Record<string, string>> {
  if (access !== 'user') return {};
  return { accessToken: (await signedIn(platform, account[side])).accessToken };
}

/**
 * Creates what the required ids of an operation name.
 * @returns the ids by field, with the access token where it takes one
 */
export async function makeThings(operation: Operation, place: Place): Promise<Record<string, string>> {
  const ids = await together[operation.name]?.(place);
  if (ids) return ids;
  const made = await credentialsOf(operation, place);
  for (const field of requiredIds(operation)) made[field] = await makeThing(operation.product, field, place);
  return made;
}
