import { expect } from 'chai';
import { colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import { usePlatform } from '#test/support/platform.js';
import { contrast } from '#core/surfaces/pages/colour.js';
import { themeWith } from './theme-with.js';

extend([a11y]);

describe('account.theme.get', () => {
  const platform = usePlatform();

  it('shows the default theme with the project’s name where none was published, and it passes WCAG AA', async () => {
    const { svc } = await platform.account();
    const { projects } = await svc.call('account.get', {});
    const { published, draft, contrast } = await svc.call('account.theme.get', {});
    expect(published).to.include({ version: 0, brandName: projects[0]?.name, publishedAt: null });
    expect(draft).to.equal(null);
    expect(contrast.map((each) => each.pair)).to.deep.equal([
      'text/background',
      'text/surface',
      'link/background',
      'link/surface',
      'onPrimary/primary',
    ]);
    expect(contrast.every((each) => each.theme === 'published' && each.passes)).to.equal(true);
  });

  it('shows the contrast of both the published theme and the draft', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith({ colors: { text: '#bbbbbb' } }) });
    const { contrast } = await svc.call('account.theme.get', {});
    const texts = contrast.filter((each) => each.pair === 'text/background');
    expect(texts).to.deep.equal([
      { theme: 'published', pair: 'text/background', ratio: 15.61, passes: true },
      { theme: 'draft', pair: 'text/background', ratio: 1.92, passes: false },
    ]);
    expect(contrast).to.have.length(10);
  });

  it('does not show another account’s theme', async () => {
    const one = await platform.account();
    const other = await platform.account();
    await one.svc.call('account.theme.draft.save', { theme: themeWith() });
    await one.svc.call('account.theme.publish', {});
    expect((await other.svc.call('account.theme.get', {})).published.version).to.equal(0);
    expect((await one.svcTest.call('account.theme.get', {})).published.version).to.equal(0);
  });

  it('measures contrast as WCAG 2.x defines it', () => {
    expect(contrast('#000000', '#ffffff')).to.equal(21);
    expect(contrast('#777777', '#777777')).to.equal(1);
    for (const [one, other] of [
      ['#767676', '#ffffff'],
      ['#777777', '#ffffff'],
      ['#1A56B0', '#f5f6f8'],
      ['#ff0000', '#00ff00'],
      ['#0a0a0a', '#0b0b0b'],
      ['#123456', '#fedcba'],
    ] as const) {
      // colord floors to two decimals.
      expect(Math.floor(contrast(one, other) * 100) / 100).to.equal(colord(one).contrast(other));
    }
  });
});
