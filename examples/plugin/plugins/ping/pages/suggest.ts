import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Page } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import suggestWord from '../operations/word/suggest.js';

/** A public form. Its POST calls an operation in this process, without a key. */
export const suggestPage: Page = {
  path: '/ping/{environmentId}/suggest',
  methods: ['GET', 'POST'],
  async answer({ method, params, form, call }, { database }) {
    const environment = await findEnvironment(database, params['environmentId'] ?? '');
    if (!environment) throw refusalOf.not_found({ thing: 'page', lookup: 'the link that led here' });
    const word = form.get('word') ?? '';
    let [heading, status] = ['Suggest a word', 200];
    if (method === 'POST') {
      try {
        await call(suggestWord, { word }, { environment });
        heading = `Thank you for “${word}”`;
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'word_known') throw error;
        [heading, status] = [`“${word}” already exists`, error.status];
      }
    }
    return renderPage({
      title: heading,
      lang: 'en',
      status,
      theme: defaultPageTheme,
      body: html`
        <div class="card">
          <h1>${heading}</h1>
          <form method="post">
            <label for="word">Your word</label>
            <p><input id="word" name="word" maxlength="100" required /></p>
            <button>Suggest</button>
          </form>
        </div>
      `,
    });
  },
};
