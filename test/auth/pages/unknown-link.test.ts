import { expect } from 'chai';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { languages } from '#core/kernel/language.js';
import { authTexts } from '#plugins/auth/pages/texts/translations.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { visitor } from './visitor.js';

const { link_unknown: unknown } = authTexts.en.errors;

describe('A link from a mail that belongs to nothing', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('says that it is incomplete or no longer works, whatever is wrong with it', async () => {
    const { live } = await platform.account();
    const root = `/auth/${live.id}`;
    const person = visitor(platform);
    await person.submit(`${root}/signin`, { do: 'link', email: 'cut@example.com' });
    const token = await test.linkTo('cut@example.com');
    for (const query of [
      '',
      '?token=',
      '?token=abc',
      `?token=${token.slice(0, -3)}`,
      `?token=${token.split('.')[0]}`,
    ]) {
      const shown = await person.submit(`${root}/link${query}`, { do: 'complete' });
      expect(shown.text, query).to.contain(unknown).and.contain(`href="${root}/signin"`);
      expect([400, 404], query).to.include(shown.status);
    }
    const whole = await person.submit(`${root}/link?token=${token}`, { do: 'complete' });
    expect(whole.text).to.contain('Signed in as');
  });

  it('says so of an invitation to an organization, in each language', async () => {
    const { live } = await platform.account();
    for (const language of languages) {
      const shown = await visitor(platform, language).open(`/auth/${live.id}/invite?token=svc_oi_${randomToken(43)}`);
      expect([shown.status, shown.text.includes(authTexts[language].errors.link_unknown)]).to.deep.equal([404, true]);
    }
  });
});
