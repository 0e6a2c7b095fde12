import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { logProvider } from '#plugins/sms/providers/log/provider.js';
import { listTexts, phoneFiles, removeTextsOf } from '#plugins/sms/providers/log/store.js';
import { usePlatform } from '#test/support/platform.js';

describe('the log driver', () => {
  const platform = usePlatform();
  const provider = (): ReturnType<typeof logProvider> => logProvider(platform.running.services);
  const files = () => phoneFiles(platform.running.services.deployment);
  const text = { from: '+15005550006', to: '+4915123456789', statusUrl: '' };

  it('keeps texts, system ones too, where only the owner of the process can read them', async () => {
    const answer = await provider().send({ ...text, messageId: 'm1', body: 'Your code: 271828 “ä”' });
    expect(answer).to.deep.include({ outcome: 'sent', providerId: 'm1', response: 'kept for /dev/phone' });
    await provider().send({ ...text, messageId: 'm2', body: 'Second' });
    const [newest, oldest] = await listTexts(files());
    expect(newest).to.deep.include({ body: 'Second', direction: 'out', messageId: 'm2' });
    expect(oldest).to.deep.include({
      body: 'Your code: 271828 “ä”',
      phone: '+4915123456789',
      number: '+15005550006',
      at: platform.clock.now(),
    });
    const [name = ''] = await readdir(files().folder);
    expect((await stat(join(files().folder, name))).mode & 0o777).to.equal(0o600);
    expect((await stat(files().folder)).mode & 0o777).to.equal(0o700);
  });

  it('removes the texts of one phone, and leaves out files that cannot be read', async () => {
    await provider().send({ ...text, to: '+4915123456700', messageId: 'm3', body: 'Another phone' });
    await writeFile(join(files().folder, '01890a5d-ac96-774b-bcce-b302099a9400.json'), '{"phone":');
    await writeFile(join(files().folder, '01890a5d-ac96-774b-bcce-b302099a9401.tmp'), 'half written');
    await removeTextsOf(files(), '+4915123456789');
    expect((await listTexts(files())).map(({ body }) => body)).to.deep.equal(['Another phone']);
    expect((await readdir(files().folder)).some((name) => name.endsWith('.tmp'))).to.equal(false);
  });

  it('has numbers of the US alone, and says so of other countries alone', async () => {
    const { svc } = await platform.account();
    const elsewhere = await svc.refusal('sms.number.assign', { country: 'DE' });
    expect(elsewhere).to.include({ code: 'number_unavailable' });
    expect(elsewhere.fix).to.contain('call sms.number.assign with the country US');
    const noArea = await svc.refusal('sms.number.assign', { country: 'US', areaCode: '911' });
    expect(noArea).to.include({
      code: 'number_unavailable',
      fix: 'Call sms.number.assign again with another number, area code or country.',
    });
  });

  it('reports a text that it could not keep, to be tried again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-phone-'));
    await writeFile(join(folder, 'phone'), 'a file in the folder’s place');
    const { deployment, ...services } = platform.running.services;
    const elsewhere = { ...deployment, settings: { ...deployment.settings, stateDir: folder } };
    const answer = await logProvider({ ...services, deployment: elsewhere }).send({
      ...text,
      messageId: 'm',
      body: 'x',
    });
    expect(answer.outcome).to.equal('temporary');
    expect(answer.response).to.match(/^not kept for \/dev\/phone: E[A-Z]+$/);
    await rm(folder, { recursive: true });
  });

  it('hands out numbers that are not test numbers', async () => {
    const found = await provider().searchNumbers({ country: 'US', capabilities: ['sms'] });
    if (!found.ok) throw new Error(found.problem);
    expect(found.value.length).to.be.greaterThan(0);
    for (const { number } of found.value) expect(number).to.match(/^\+1500555[1-9]\d{3}$/);
  });
});
