import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { minutes } from '#test/support/clock.js';
import { themeWith } from './theme-with.js';

describe('account.theme.publish', () => {
  const platform = usePlatform();

  it('publishes the draft as the next version and removes the draft', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    const { activityId, result } = await svc.envelope('account.theme.publish', {});
    expect(result.published).to.deep.include({ version: 1, ...themeWith() });
    expect(result.published.publishedAt).to.equal(platform.clock.now().toISOString());
    const { published, draft } = await svc.call('account.theme.get', {});
    expect(published).to.deep.equal(result.published);
    expect(draft).to.equal(null);
    const said = (await platform.events(live)).filter((event) => event.type === 'account.theme.published');
    expect(said).to.deep.equal([
      { type: 'account.theme.published', subjectId: live.id, activityId, data: { published } },
    ]);
  });

  it('increments the version with each publication', async () => {
    const { svc } = await platform.account();
    for (const version of [1, 2, 3]) {
      await svc.call('account.theme.draft.save', { theme: themeWith({ brandName: `Acme ${version}` }) });
      expect((await svc.call('account.theme.publish', {})).published.version).to.equal(version);
    }
  });

  it('never uses a version for two themes, also after a reset', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await svc.call('account.theme.publish', {});
    await svc.call('account.theme.reset', {});
    await svc.call('account.theme.draft.save', { theme: themeWith({ brandName: 'Acme Ltd' }) });
    expect((await svc.call('account.theme.publish', {})).published.version).to.equal(2);
  });

  it('refuses pairs below WCAG AA, names them with their ratios, and changes nothing', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', {
      theme: themeWith({ colors: { link: '#777777', onPrimary: '#003366' } }),
    });
    const refusal = await svc.refusal('account.theme.publish', {});
    expect(refusal).to.include({ code: 'contrast_too_low', status: 400 });
    expect(refusal.details).to.deep.equal({
      pairs: [
        { pair: 'link/background', ratio: 4.48 },
        { pair: 'link/surface', ratio: 3.93 },
        { pair: 'onPrimary/primary', ratio: 1 },
      ],
    });
    expect(refusal.message).to.contain('link/background 4.48:1, link/surface 3.93:1, onPrimary/primary 1:1');
    const { published, draft } = await svc.call('account.theme.get', {});
    expect(published.version).to.equal(0);
    expect(draft?.colors.link).to.equal('#777777');
  });

  it('compares the ratio before rounding', async () => {
    const { svc } = await platform.account();
    // 4.49995:1 is shown as 4.5 but is below it.
    await svc.call('account.theme.draft.save', {
      theme: themeWith({ colors: { link: '#008580', surface: '#000000' } }),
    });
    const { details } = await svc.refusal('account.theme.publish', {});
    expect(details).to.deep.include({
      pairs: [
        { pair: 'text/surface', ratio: 1.11 },
        { pair: 'link/background', ratio: 4.5 },
      ],
    });
  });

  it('refuses where there is neither a draft nor a published theme', async () => {
    const { svc, live } = await platform.account();
    const refusal = await svc.refusal('account.theme.publish', {});
    expect(refusal).to.include({ code: 'draft_missing', status: 409 });
    expect(await platform.events(live)).to.deep.equal([]);
  });

  it('answers a repeat with the same theme, without an event, with its own audit record', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    const first = await svc.envelope('account.theme.publish', {});
    platform.clock.advance(minutes(5));
    const again = await svc.envelope('account.theme.publish', {});
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    const { activity, events } = await svc.call('account.activity.get', { activityId: again.activityId });
    expect(activity).to.deep.include({ operation: 'account.theme.publish', changes: [] });
    expect(events).to.deep.equal([]);
    expect(await platform.events(live)).to.have.length(2);
  });

  it('answers draft_missing after a reset', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await svc.call('account.theme.publish', {});
    await svc.call('account.theme.reset', {});
    expect((await svc.refusal('account.theme.publish', {})).code).to.equal('draft_missing');
  });

  it('publishes a draft once in concurrent calls', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    const answers = await Promise.all(Array.from({ length: 12 }, () => svc.call('account.theme.publish', {})));
    expect(new Set(answers.map(({ published }) => published.version))).to.deep.equal(new Set([1]));
    const published = (await platform.events(live)).filter((event) => event.type === 'account.theme.published');
    expect(published).to.have.length(1);
  });

  it('never publishes a draft that was saved after the contrast was checked', async () => {
    const { svc } = await platform.account();
    const unreadable = themeWith({ colors: { text: '#eeeeee' } });
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await Promise.all([
      ...Array.from({ length: 6 }, () => svc.raw('/account/theme/publish', '{}')),
      ...Array.from({ length: 6 }, () => svc.call('account.theme.draft.save', { theme: unreadable })),
    ]);
    const { published } = await svc.call('account.theme.get', {});
    expect(published.colors.text).not.to.equal('#eeeeee');
  });
});
