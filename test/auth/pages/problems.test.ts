import { expect } from 'chai';
import { SvcError } from '#core/kernel/errors/errors.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { languages } from '#core/kernel/language.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { plugins } from '#plugins/all.gen.js';
import { authTexts } from '#plugins/auth/pages/texts/translations.js';
import { problemOf } from '#plugins/auth/pages/problem.js';

const environment = {
  id: 'e',
  projectId: 'p',
  accountId: 'a',
  kind: 'live',
  closedAt: null,
  archivedAt: null,
  operator: false,
} as const;

describe('What goes wrong on a hosted page', () => {
  it('is said in the reader’s language, whatever an operation refuses with, and never in the words for its callers', () => {
    const all = createRegistry(plugins, []).errors;
    for (const lang of languages) {
      const texts = authTexts[lang];
      const look = { theme: defaultPageTheme, lang, formatTag: lang, texts, placeOf: () => null };
      const visit = { environment, root: '/auth/e', ...look, options: { environment } };
      for (const [code, { status }] of Object.entries(all)) {
        const refusal = new SvcError(code, status, 'Said to those who call auth.signin.start.', 'Call it again.', {});
        const problem = problemOf(visit, refusal);
        expect(problem.status, code).to.equal(status);
        expect(problem.text, code).to.have.length.above(5).and.not.contain('auth.signin.start');
      }
    }
  });
});
