import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, refusalBody } from '../support.js';

describe('account.project.update', () => {
  const platform = usePlatform();

  it('renames a project, sets its locale and time zone, and audits the changes', async () => {
    const { svc, projectId } = await platform.account();
    const before = (await svc.call('account.project.list', {})).projects[0];
    const { activityId, result } = await svc.envelope('account.project.update', {
      projectId,
      name: 'Laden',
      locale: 'de-at',
      timeZone: 'Europe/Vienna',
    });
    expect(result.project).to.include({ id: projectId, name: 'Laden', locale: 'de-AT', timeZone: 'Europe/Vienna' });
    // Sent mail comes from it, and DNS records contain it.
    expect(result.project.slug).to.equal(before?.slug);
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'account.project.update',
      subjectId: projectId,
      summary: 'Changed the project “Laden”.',
      changes: [
        { field: 'name', from: before?.name, to: 'Laden' },
        { field: 'locale', from: 'en', to: 'de-AT' },
        { field: 'timeZone', from: 'UTC', to: 'Europe/Vienna' },
      ],
      accountWide: true,
    });
    expect((await svc.call('account.get', {})).projects[0]).to.deep.equal(result.project);
  });

  it('changes only the given fields', async () => {
    const { svc, projectId } = await platform.account();
    await svc.call('account.project.update', { projectId, name: 'Kept' });
    const { project } = await svc.call('account.project.update', { projectId, locale: 'fr' });
    expect(project).to.include({ name: 'Kept', locale: 'fr', timeZone: 'UTC' });
  });

  it('answers a repeat with 200 and an audit record without changes', async () => {
    const { svc, projectId } = await platform.account();
    const input = { projectId, name: 'Same', locale: 'de-DE' };
    const first = await svc.envelope('account.project.update', input);
    const again = await svc.envelope('account.project.update', { ...input, locale: 'DE-de' });
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.deep.include({ subjectId: projectId, changes: [] });
  });

  it('refuses an invalid locale or time zone, naming the field', async () => {
    const { svc, projectId } = await platform.account();
    const wrong = [
      { locale: 'german please' },
      { locale: 'german' },
      { locale: 'e' },
      { locale: 'e_US' },
      { timeZone: 'Europe/Atlantis' },
      { timeZone: '+01:00' },
      { timeZone: '' },
      { timeZone: 'europe/berlin' },
      { timeZone: 'EUROPE/BERLIN' },
      { name: '' },
      { name: ' ' },
    ];
    for (const fields of wrong) {
      const refused = await svc.refusal('account.project.update', { projectId, ...fields });
      expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: Object.keys(fields)[0] });
    }
  });

  it('accepts every name of a time zone as the IANA database writes it, and suggests it for another spelling', async () => {
    const { svc, projectId } = await platform.account();
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'US/Pacific', 'Etc/GMT+5']) {
      const { project } = await svc.call('account.project.update', { projectId, timeZone });
      expect(project.timeZone).to.equal(timeZone);
    }
    const suggestions = { 'us/pacific': 'US/Pacific', 'Europe/Berln': 'Europe/Berlin' };
    for (const [timeZone, exact] of Object.entries(suggestions)) {
      const refused = await svc.refusal('account.project.update', { projectId, timeZone });
      expect(refused.message).to.contain(`did you mean ${exact}?`);
    }
  });

  it('requires a field to change', async () => {
    const { svc, projectId } = await platform.account();
    expect(await svc.refusal('account.project.update', { projectId })).to.include({
      status: 400,
      code: 'invalid_input',
    });
  });

  it('refuses the name of another project of the account, and accepts its own name in another case', async () => {
    const { svc, projectId } = await platform.account();
    await svc.call('account.project.create', { name: 'Other' });
    const refused = await svc.refusal('account.project.update', { projectId, name: 'OTHER' });
    expect(refused).to.include({ status: 409, code: 'name_taken' });
    await svc.call('account.project.update', { projectId, name: 'mine' });
    expect((await svc.call('account.project.update', { projectId, name: 'MINE' })).project.name).to.equal('MINE');
  });

  it('answers another account’s project like one that does not exist', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const unknown = refusalBody(
      await account.svc.refusal('account.project.update', { projectId: newId(), name: 'Mine' }),
    );
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    const theirs = await account.svc.refusal('account.project.update', { projectId: other.projectId, name: 'Mine' });
    expect(refusalBody(theirs)).to.deep.equal(unknown);
  });
});
