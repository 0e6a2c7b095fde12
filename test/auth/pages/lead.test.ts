import { expect } from 'chai';
import { languages } from '#core/kernel/language.js';
import { authTexts } from '#plugins/auth/pages/texts/translations.js';
import { dashboardOf } from '#test/account/dashboard/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { visitor } from './visitor.js';

describe('The first line of the sign-in page', () => {
  const { platform } = useSignInMail();

  for (const language of languages)
    it(`says in ${language} that the form creates an account, but not where it creates none`, async () => {
      const { lead, leadClosed } = authTexts[language].signin;
      const [open, closed] = [await platform.account(), await platform.account()];
      await closed.svc.call('auth.settings.set', { signup: { allow: 'invited' } });
      const said = async ({ id }: { id: string }): Promise<string[]> => {
        const { text } = await visitor(platform, language).get(`/auth/${id}/signin`);
        return [lead, leadClosed].filter((each) => text.includes(each));
      };
      expect(await said(open.live)).to.deep.equal([lead]);
      expect(await said(closed.live)).to.deep.equal([leadClosed]);
      expect(await said(await dashboardOf(platform)), 'members are invited').to.deep.equal([leadClosed]);
    });
});
