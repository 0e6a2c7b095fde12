import { refusalOf } from '#core/kernel/errors/common.js';
import { countAgainst } from '#core/kernel/limits/count.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleToken } from '../examples.js';
import { lockContact } from '../contacts/find.js';
import { endChannel, revoke } from './unsubscribe.js';
import { mustHold } from './resolve-link.js';
import { preferencesToken } from './input.js';
import { presentPreferences } from './present.js';
import { isChange, preferencesNews, preferencesNote } from './audit.js';
import { topicsOf } from './topics.js';

/**
 * One-click unsubscribe (RFC 8058), as a call of audience.preferences.set with the topic that its token names: audit record, events and
 * environment are that operation's. It is counted per person, not per IP: mailbox providers ask for all of their users from a few
 * addresses, and the sixty-first must not stay subscribed. There is nothing to guess, since a token that was not sealed here costs no
 * query.
 */
export const oneClick = defineOperation({
  name: 'audience.preferences.set',
  summary: 'Unsubscribe with one click.',
  access: 'public',
  input: object({ token: preferencesToken }),
  output: object({}),
  errors: ['not_found', 'link_expired'],
  events: [
    'audience.preferences.changed',
    'audience.consent.granted',
    'audience.consent.revoked',
    'audience.suppression.added',
    'audience.suppression.lifted',
  ],
  example: { input: { token: exampleToken }, output: {} },

  async handle({ token }, context) {
    const { db, clock, actIn, emit, audit, fail } = context;
    const found = await mustHold(context, token, fail);
    const { environment, message } = found;
    actIn(environment);
    const contact = await lockContact(db, environment, { contactId: found.contact.id });
    const holder = { ...found, contact };
    const seconds = await countAgainst(db, {
      key: `audience.one-click|${contact.id}`,
      max: 60,
      windowSeconds: 600,
      now: clock.now(),
    });
    if (seconds > 0) throw refusalOf.rate_limited({ limit: '60 one-click requests per person in 10 minutes', seconds });
    // The header stands in mail: a link that names no message ends mail.
    const channel = message?.channel ?? 'email';
    const all = await topicsOf(db, environment.id);
    const topic = all.find((row) => row.topic === message?.topic);
    const changed = topic
      ? {
          granted: [],
          revoked: await revoke(context, holder, channel, [{ topic, wording: null }], source),
          ended: false,
          lifted: false,
        }
      : await endChannel(context, holder, channel, all, source);
    if (isChange(changed))
      emit('audience.preferences.changed', preferencesNews(holder, await presentPreferences(context, holder)));
    audit(preferencesNote(holder, [{ channel, changed }], ' with one click'));
    return {};
  },
});

const source = 'one-click unsubscribe';
