import type { Callback } from '#core/kernel/callback.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { settings } from '../settings.js';
import { addWord } from '../words/add-word.js';

/** Adds the word that a provider sends as plain text, authenticated by a shared secret. */
export const wordCallback: Callback = {
  path: '/v1/ping/word',
  async answer({ rawBody, headers, query }, { deployment, database, transaction }) {
    const { pingSecret } = deployment.settingsOf(settings);
    const given = headers['x-ping-secret'] ?? '';
    if (pingSecret === undefined || !equalBytes(sha256(given), sha256(pingSecret)))
      throw refusalOf.forbidden({ problem: 'the secret is wrong', nextStep: 'Send SVC_PING_SECRET as X-Ping-Secret.' });
    const environment = await findEnvironment(database, query.get('environment') ?? '');
    if (!environment) throw refusalOf.not_found({ thing: 'environment', lookup: 'account.project.list' });
    await transaction('Ping callback', async (context) => {
      context.actIn(environment);
      await addWord(context, environment, rawBody.toString('utf8'));
    });
    return { status: 204 };
  },
};
