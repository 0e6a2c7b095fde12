import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleOAuthApp } from '../../../examples.js';
import { presentApp } from '../../../oauth/apps.js';
import { OAuthApp } from '../../../oauth/resources.js';
import { oauthApps } from '../../../tables/oauth-app.js';

export default defineOperation({
  name: 'auth.oauth.app.list',
  summary: 'Lists the providers configured for this environment, newest first. Client secrets are never returned.',
  keywords: 'social login google github microsoft apple gitlab linkedin oidc sso',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ ...page }),
  output: object({ apps: list(OAuthApp), nextBefore }),
  example: { input: {}, output: { apps: [exampleOAuthApp], nextBefore: null } },

  async handle({ before, limit }, { db, caller, deployment }) {
    const query = db
      .select(oauthApps, 'app')
      .where('app.environment_id = :environment', { environment: idBytes(caller.environment.id) })
      .andWhere('app.removed_at IS NULL');
    const { rows, next } = await paged(query, 'app', 'provider', { before, limit });
    return { apps: rows.map((row) => presentApp(row, deployment)), nextBefore: next };
  },
});
