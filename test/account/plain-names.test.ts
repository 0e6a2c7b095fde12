import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';

const withWebAddress = [
  'Win at https://prize.example',
  'Acme www.prize',
  'prize.example',
  'Acme (prize.example/now)',
  'Acme prize。example',
  'Acme prize．example',
  'Acme prize.\u200Bexample',
  'приз.рф',
  'xn--e1afmkfd.xn--p1ai',
  '192.0.2.7',
  'ftp:prize',
];
const withoutWebAddress = [
  'St. Gallen & Söhne',
  'U.S. Steel',
  'Verein e.V.',
  'Acme, Inc.',
  'No. 1',
  'Version 2.0',
  'A/B',
  'Wait...what?',
];

describe('Names of accounts, projects and brands', () => {
  const platform = usePlatform({ settings: () => ({ SVC_SIGNUP: 'open' }) });
  const colors = {
    background: '#ffffff',
    surface: '#ffffff',
    text: '#000000',
    primary: '#000000',
    onPrimary: '#ffffff',
    link: '#000000',
    border: '#000000',
  };
  const sign = { email: 'owner@names.example' };

  const uses: Record<
    string,
    (api: Api, projectId: string, name: string) => Promise<{ code: string; details?: unknown }>
  > = {
    'name of account.update': (api, _, name) => api.refusal('account.update', { name }),
    'name of account.signup': (api, _, name) => api.refusal('account.signup', { ...sign, name }),
    'projectName of account.signup': (api, _, projectName) =>
      api.refusal('account.signup', { ...sign, name: 'Acme', projectName }),
    'name of account.project.create': (api, _, name) => api.refusal('account.project.create', { name }),
    'name of account.project.update': (api, projectId, name) =>
      api.refusal('account.project.update', { projectId, name }),
    'theme.brandName of account.theme.draft.save': (api, _, brandName) =>
      api.refusal('account.theme.draft.save', { theme: { brandName, colors, radius: 'none', font: 'system' } }),
  };

  for (const [use, refusal] of Object.entries(uses)) {
    it(`carry no web address: ${use}`, async () => {
      const { svc, projectId } = await platform.account();
      for (const name of withWebAddress) {
        const { code, details } = await refusal(svc, projectId, name);
        expect({ name, code, details }).to.deep.equal({
          name,
          code: 'invalid_input',
          details: { field: use.split(' ')[0] },
        });
      }
    });
  }

  it('may hold dots that are part of no web address', async () => {
    const { svc } = await platform.account();
    for (const name of withoutWebAddress)
      expect((await svc.call('account.update', { name })).account.name).to.equal(name);
  });
});
