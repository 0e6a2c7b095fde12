import { itNeeding } from '#test/support/products.js';
import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { themeWith } from '../theme-with.js';

describe('account.theme.draft.save', () => {
  const platform = usePlatform();

  itNeeding('email')('takes a logo as a file, and only https addresses besides those of its own pictures', async () => {
    const { svc } = await platform.account();
    const content = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { draft } = await svc.call('account.theme.get', {});
    const { published } = await svc.call('account.theme.get', {});
    const { brandName, colors, radius, font } = draft ?? published;
    const theme = { brandName, colors, radius, font };
    const saved = await svc.call('account.theme.draft.save', { theme, logo: { name: 'logo.png', content } });
    const { logoUrl } = saved.draft;
    expect(logoUrl).to.match(/\/email\/images\/[0-9a-f-]{36}\/[0-9a-f]{64}\.png$/);
    await svc.call('account.theme.draft.save', { theme: { ...theme, logoUrl } });
    const refused = await svc.refusal('account.theme.draft.save', {
      theme: { ...theme, logoUrl: 'http://acme.example/a.png' },
    });
    expect(refused.details['field']).to.equal('theme.logoUrl');
    const bad = await svc.refusal('account.theme.draft.save', { theme, logo: { name: 'logo.png', content: 'AAAA' } });
    expect(bad.details['field']).to.equal('logo.content');
  });

  it('saves a draft next to the published theme, in this environment only', async () => {
    const { svc, svcTest } = await platform.account();
    const before = await svc.call('account.theme.get', {});
    const { draft, contrast } = await svc.call('account.theme.draft.save', {
      theme: themeWith({ logoUrl: 'https://acme.example/logo.svg' }),
    });
    expect(draft).to.deep.equal({
      version: 1,
      ...themeWith(),
      logoUrl: 'https://acme.example/logo.svg',
      supportUrl: null,
      supportEmail: null,
      publishedAt: null,
    });
    expect(contrast).to.have.length(5);
    const after = await svc.call('account.theme.get', {});
    expect(after.published).to.deep.equal(before.published);
    expect(after.draft).to.deep.equal(draft);
    expect((await svcTest.call('account.theme.get', {})).draft).to.equal(null);
  });

  it('replaces the whole draft, and audits the changes', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith({ supportEmail: 'help@acme.example' }) });
    const { activityId, result } = await svc.envelope('account.theme.draft.save', {
      theme: themeWith({ brandName: 'Acme Ltd' }),
    });
    expect(result.draft).to.include({ brandName: 'Acme Ltd', supportEmail: null });
    const events = await platform.events(live);
    expect(events.map((event) => event.type)).to.deep.equal(['account.theme.draft_saved', 'account.theme.draft_saved']);
    expect(events[1]).to.deep.include({ subjectId: live.id, activityId, data: { draft: result.draft } });
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.subject).to.deep.equal({ type: 'theme', id: live.id });
    expect(activity.changes).to.deep.equal([
      { field: 'brandName', from: 'Acme', to: 'Acme Ltd' },
      { field: 'supportEmail', from: 'help@acme.example', to: null },
    ]);
  });

  it('saves a draft with low contrast, and reports the contrast', async () => {
    const { svc } = await platform.account();
    const { contrast } = await svc.call('account.theme.draft.save', {
      theme: themeWith({ colors: { link: '#999999' } }),
    });
    expect(contrast.filter((each) => !each.passes)).to.deep.equal([
      { pair: 'link/background', ratio: 2.85, passes: false },
      { pair: 'link/surface', ratio: 2.5, passes: false },
    ]);
  });

  it('emits no event for an unchanged draft, only an audit record', async () => {
    const { svc, live } = await platform.account();
    const first = await svc.envelope('account.theme.draft.save', { theme: themeWith() });
    const again = await svc.envelope('account.theme.draft.save', { theme: themeWith({ logoUrl: null }) });
    expect(again.result).to.deep.equal(first.result);
    expect(await platform.events(live)).to.have.length(1);
    const { activity, events } = await svc.call('account.activity.get', { activityId: again.activityId });
    expect(activity).to.deep.include({ operation: 'account.theme.draft.save', changes: [] });
    expect(events).to.deep.equal([]);
  });

  it('stores one of several concurrent drafts completely, with an event for each', async () => {
    const { svc, live } = await platform.account();
    const names = Array.from({ length: 12 }, (_, index) => `Brand ${index}`);
    await Promise.all(
      names.map((brandName) =>
        svc.call('account.theme.draft.save', { theme: themeWith({ brandName, supportUrl: null }) }),
      ),
    );
    const { draft } = await svc.call('account.theme.get', {});
    expect(names).to.include(draft?.brandName);
    expect(await platform.events(live)).to.have.length(names.length);
    expect(await platform.count('account_theme', `environment_id = 0x${idBytes(live.id).toString('hex')}`)).to.equal(1);
  });

  const refused: [string, string, object][] = [
    ['a logo that is not https', 'theme.logoUrl', { logoUrl: 'http://acme.example/logo.svg' }],
    ['a logo address that would leave a stylesheet', 'theme.logoUrl', { logoUrl: "https://acme.example/')} body{" }],
    ['a logo address with a quote', 'theme.logoUrl', { logoUrl: 'https://acme.example/"onload="x' }],
    ['a logo address with a line break', 'theme.logoUrl', { logoUrl: 'https://acme.example/\n.svg' }],
    ['a help address that is a script', 'theme.supportUrl', { supportUrl: 'javascript:alert(1)' }],
    ['two addresses in one', 'theme.supportEmail', { supportEmail: 'a@acme.example,b@acme.example' }],
    ['a brand name with a line break', 'theme.brandName', { brandName: 'Acme\r\nBcc: x' }],
    ['a brand name of blanks', 'theme.brandName', { brandName: '  ' }],
    ['a colour by name', 'theme.colors.text', { colors: { ...themeWith().colors, text: 'red' } }],
    ['a colour with more behind it', 'theme.colors.text', { colors: { ...themeWith().colors, text: '#ff0000;}' } }],
    ['a colour that is missing', 'theme.colors.border', { colors: { ...themeWith().colors, border: undefined } }],
    ['a radius of one’s own', 'theme.radius', { radius: '4px' }],
    ['a font of one’s own', 'theme.font', { font: 'Comic Sans' }],
    ['a field that is not known', 'theme.css', { css: 'body{}' }],
  ];
  for (const [what, field, changes] of refused) {
    it(`refuses ${what}`, async () => {
      const { svc } = await platform.account();
      const refusal = await svc.refusal('account.theme.draft.save', { theme: { ...themeWith(), ...changes } });
      expect(refusal).to.deep.include({ code: 'invalid_input', status: 400, details: { field } });
      expect((await svc.call('account.theme.get', {})).draft).to.equal(null);
    });
  }
});
