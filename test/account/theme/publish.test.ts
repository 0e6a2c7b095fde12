import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { minutes } from '#test/support/clock.js';
import { look } from './looks.js';

describe('account.theme.publish', () => {
  const platform = usePlatform();

  it('publishes the draft as the next version and uses it up', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: look() });
    const { activityId, result } = await svc.envelope('account.theme.publish', {});
    expect(result.published).to.deep.include({ version: 1, ...look() });
    expect(result.published.publishedAt).to.equal(platform.clock.now().toISOString());
    const { published, draft } = await svc.call('account.theme.get', {});
    expect(published).to.deep.equal(result.published);
    expect(draft).to.equal(null);
    const said = (await platform.events(live)).filter((event) => event.type === 'account.theme.published');
    expect(said).to.deep.equal([
      { type: 'account.theme.published', subjectId: live.id, activityId, data: { published } },
    ]);
  });

  it('counts the version up with each publication', async () => {
    const { svc } = await platform.account();
    for (const version of [1, 2, 3]) {
      await svc.call('account.theme.draft.save', { theme: look({ brandName: `Acme ${version}` }) });
      expect((await svc.call('account.theme.publish', {})).published.version).to.equal(version);
    }
  });

  it('never names two looks by one version, a reset between them or not', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: look() });
    await svc.call('account.theme.publish', {});
    await svc.call('account.theme.reset', {});
    await svc.call('account.theme.draft.save', { theme: look({ brandName: 'Acme Ltd' }) });
    expect((await svc.call('account.theme.publish', {})).published.version).to.equal(2);
  });

  it('refuses pairs below WCAG AA, naming them with their ratios, and leaves all as it was', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', {
      theme: look({ colors: { link: '#777777', onPrimary: '#003366' } }),
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

  it('judges the ratio before it is rounded', async () => {
    const { svc } = await platform.account();
    // 4.49995:1 shows as 4.5 and is not.
    await svc.call('account.theme.draft.save', { theme: look({ colors: { link: '#008580', surface: '#000000' } }) });
    const { details } = await svc.refusal('account.theme.publish', {});
    expect(details).to.deep.include({
      pairs: [
        { pair: 'text/surface', ratio: 1.11 },
        { pair: 'link/background', ratio: 4.5 },
      ],
    });
  });

  it('refuses when there is neither a draft nor anything published', async () => {
    const { svc, live } = await platform.account();
    const refusal = await svc.refusal('account.theme.publish', {});
    expect(refusal).to.include({ code: 'draft_missing', status: 409 });
    expect(await platform.events(live)).to.deep.equal([]);
  });

  it('answers a repeat as done: the same theme, no event, its own audit record', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: look() });
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

  it('has nothing to repeat after a reset, and says that a draft is missing', async () => {
    const { svc } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: look() });
    await svc.call('account.theme.publish', {});
    await svc.call('account.theme.reset', {});
    expect((await svc.refusal('account.theme.publish', {})).code).to.equal('draft_missing');
  });

  it('publishes one draft once under racers', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: look() });
    const answers = await Promise.all(Array.from({ length: 12 }, () => svc.call('account.theme.publish', {})));
    expect(new Set(answers.map(({ published }) => published.version))).to.deep.equal(new Set([1]));
    const published = (await platform.events(live)).filter((event) => event.type === 'account.theme.published');
    expect(published).to.have.length(1);
  });

  it('publishes no draft unjudged that was saved while it judged another', async () => {
    const { svc } = await platform.account();
    const unreadable = look({ colors: { text: '#eeeeee' } });
    await svc.call('account.theme.draft.save', { theme: look() });
    await Promise.all([
      ...Array.from({ length: 6 }, () => svc.raw('/account/theme/publish', '{}')),
      ...Array.from({ length: 6 }, () => svc.call('account.theme.draft.save', { theme: unreadable })),
    ]);
    const { published } = await svc.call('account.theme.get', {});
    expect(published.colors.text).not.to.equal('#eeeeee');
  });
});
