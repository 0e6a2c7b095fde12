import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { exampleOAuthApp } from '../../../examples.js';
import { findAnyApp, isUsable, presentApp } from '../../../oauth/apps.js';
import { OAuthApp } from '../../../oauth/resources.js';
import { lockSettings } from '../../../settings/store.js';
import { requireUsableMethod } from '../../../settings/usable-methods.js';
import { oauthApps, type OAuthAppRow } from '../../../tables/oauth-app.js';

export default defineOperation({
  name: 'auth.oauth.app.remove',
  summary: 'Removes a provider. Users keep the identities they have linked.',
  description:
    'The client secret is deleted. If the same provider is configured again, users can sign in with their linked identities again.',
  keywords: 'social login google github microsoft apple gitlab linkedin oidc sso delete',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  // Any text: a name that no provider can have is answered like an unknown one.
  input: object({ provider: text('A provider that auth.oauth.app.list shows.', { minLength: 1, maxLength: 64 }) }),
  output: object({ app: OAuthApp }),
  errors: ['no_usable_signin_method'],
  events: ['auth.oauth.app.changed'],
  example: {
    input: { provider: 'google' },
    output: { app: { ...exampleOAuthApp, enabled: false } },
  },

  async handle({ provider }, context) {
    const { db, caller, clock, deployment, fail, emit, audit } = context;
    const { environment } = caller;
    // Changes of settings and removals wait for each other: together they could leave nobody able to sign in.
    const settings = await lockSettings(context, environment);
    const row = await findAnyApp(db, environment.id, provider);
    if (!row) throw fail.not_found({ thing: 'provider', lookup: 'auth.oauth.app.list' });
    const subject = { type: 'oauth_app', id: row.id };
    if (row.removedAt) {
      audit({ subject, summary: '', changes: [], unchanged: `sign-in with ${row.name} was already removed.` });
      return { app: presentApp(row, deployment) };
    }
    const now = clock.now();
    const removed: OAuthAppRow = { ...row, enabled: false, clientSecret: null, removedAt: now, updatedAt: now };
    await db.update(oauthApps, { id: row.id }, removed);
    if (isUsable(row, settings)) await requireUsableMethod(context, environment, settings);
    audit({
      subject,
      summary: `Removed sign-in with ${row.name}.`,
      changes: changesBetween(row, removed, ['enabled', 'removedAt']),
    });
    const app = presentApp(removed, deployment);
    emit('auth.oauth.app.changed', { subjectId: row.id, data: { app, removed: true } });
    return { app };
  },
});
