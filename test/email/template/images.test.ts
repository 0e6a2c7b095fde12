import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { get } from 'node:http';
import type { TestAccount } from '#test/support/platform.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf } from '#test/account/support.js';
import { texts } from './support.js';

/** The smallest pictures of each form: a header with a size. */
const png = (bytes = 60): Buffer => {
  const data = Buffer.alloc(bytes);
  data.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  data.write('IHDR', 12, 'latin1');
  data.writeUInt32BE(640, 16);
  data.writeUInt32BE(480, 20);
  return data;
};
const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([3, 0, 2, 0, 0, 0])]);
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108003200640301220002110103110100', 'hex');
const webp = Buffer.concat([
  Buffer.from('RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0x1f, 0x03, 0x00, 0x57, 0x02, 0x00, 0, 0]),
]);

describe('The pictures of email.template.draft.save', () => {
  const platform = usePlatform({ settings: () => ({ SVC_IMAGE_MEBIBYTES: '10' }) });
  const file = (name: string, data: Buffer) => ({ name, content: data.toString('base64') });
  const save = async ({ svc }: TestAccount, ...images: ReturnType<typeof file>[]) =>
    svc.envelope('email.template.draft.save', { template: 'news', locales: { en: texts() }, images });

  it('are stored once, with their form and size by their bytes, and listed by email.template.get', async () => {
    const account = await platform.account();
    const given = [file('a.png', png()), file('b.gif', gif), file('c.jpg', jpeg), file('d.webp', webp)];
    const { activityId, result } = await save(account, ...given, file('again.png', png()));
    const sizes = result.images.map(({ name, contentType, width, height }) => [name, contentType, width, height]);
    expect(sizes).to.deep.equal([
      ['a.png', 'image/png', 640, 480],
      ['b.gif', 'image/gif', 3, 2],
      ['c.jpg', 'image/jpeg', 100, 50],
      ['d.webp', 'image/webp', 800, 600],
      ['a.png', 'image/png', 640, 480],
    ]);
    const [first] = result.images;
    const digest = createHash('sha256').update(png()).digest('hex');
    expect(first?.url).to.equal(
      `${platform.running.services.deployment.baseUrl}/email/images/${account.live.id}/${digest}.png`,
    );
    expect(await platform.count('email_image', `environment_id = 0x${account.live.id.replaceAll('-', '')}`)).to.equal(
      4,
    );
    const { images } = await account.svc.call('email.template.get', { template: 'news' });
    expect(images).to.have.deep.members(result.images.slice(0, 4));
    const { changes } = await auditOf(platform, activityId);
    expect(JSON.stringify(changes)).to.contain('"a.png"').and.not.contain(given[0]?.content);
  });

  it('can be stored without a change of the draft', async () => {
    const account = await platform.account();
    const { svc } = account;
    expect(
      await svc.refusal('email.template.draft.save', { template: 'news', images: [file('a.png', png())] }),
    ).to.include({
      code: 'not_found',
    });
    await svc.call('email.template.draft.save', { template: 'news', locales: { en: texts() } });
    const before = await svc.call('email.template.get', { template: 'news' });
    const saved = await svc.call('email.template.draft.save', { template: 'news', images: [file('a.png', png())] });
    expect(saved.draft).to.deep.equal(before.draft);
    const after = await svc.call('email.template.get', { template: 'news' });
    expect(after.template).to.deep.equal(before.template);
    expect(after.images).to.deep.equal(saved.images);
    const none = await svc.refusal('email.template.draft.save', { template: 'news' });
    expect(none).to.deep.include({ code: 'invalid_input' });
    expect(none.details['field']).to.equal('locales');
  });

  it('are refused by what they are, and beyond the limit of the environment', async () => {
    const account = await platform.account();
    const field = async (image: { name: string; content: string; contentType?: 'image/png' | 'image/gif' }) =>
      (
        await account.svc.refusal('email.template.draft.save', {
          template: 'news',
          locales: { en: texts() },
          images: [image],
        })
      ).details['field'];
    expect(await field(file('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).to.equal(
      'images[0].content',
    );
    expect(await field({ name: 'a.png', content: '%%%%' })).to.equal('images[0].content');
    expect(await field(file('../a.png', png()))).to.equal('images[0].name');
    expect(await field({ ...file('a.png', png()), contentType: 'image/gif' })).to.equal('images[0].contentType');
    await save(account, file('a.png', png(6_000_000)));
    const images = [file('b.png', png(5_000_000))];
    const refused = await account.svc.refusal('email.template.draft.save', { template: 'news', images });
    expect(refused).to.include({ code: 'limit_reached' });
    // What is stored already needs no room.
    await save(account, file('again.png', png(6_000_000)));
  });

  it('are public at an address that never changes, run nothing, and answer for one environment only', async () => {
    const account = await platform.account();
    const { result } = await save(account, file('a.png', png(1_048_576)));
    const path = new URL(result.images[0]?.url ?? '').pathname;
    const open = (at: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${platform.running.address}${at}`, { headers });
    const answer = await open(path);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png(1_048_576))).to.equal(true);
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.has('set-cookie')).to.equal(false);
    expect((await open(path, { 'If-None-Match': answer.headers.get('etag') ?? '' })).status).to.equal(304);
    const other = await platform.account();
    for (const wrong of [
      path.replace(account.live.id, other.live.id),
      path.replace('.png', '.gif'),
      path.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
      '/email/images/x/y',
    ])
      expect((await open(wrong)).status, wrong).to.equal(404);
  });

  it('are held in memory only as far as the process allows, however slowly they are read', async () => {
    const account = await platform.account();
    const { result } = await save(account, file('a.png', png(10_000_000)));
    const url = `${platform.running.address}${new URL(result.images[0]?.url ?? '').pathname}`;
    // Each reader asks and does not read.
    const readers = Array.from({ length: 30 }, () => get(url, { agent: false }));
    const statuses = await Promise.all(
      readers.map(
        (reader) =>
          new Promise<number>((resolve) => reader.on('response', ({ statusCode = 0 }) => resolve(statusCode))),
      ),
    );
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf.at.least(1);
    for (const reader of readers) reader.destroy();
  });
});
