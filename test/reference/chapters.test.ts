import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { referenceRoot } from '#core/surfaces/reference/anchors.js';
import { chaptersOf } from '#core/surfaces/reference/chapters.js';
import { verifySample } from '#core/surfaces/reference/chapters.js';
import { pageReader } from './support.js';

describe('The chapters of the reference', () => {
  it('are found by the words that people search for', async () => {
    const registry = createRegistry(await findPlugins(), []);
    const found = (word: string): string[] =>
      chaptersOf(registry)
        .filter(({ title, paragraphs }) => [title, ...paragraphs].join(' ').toLowerCase().includes(word))
        .map(({ title }) => title);
    expect(found('signature')).to.include('Webhook signatures');
    expect(found('pagination')).to.deep.equal(['Paging']);
    expect(found('retry')).to.include('Retries');
    expect(found('idempotency')).to.include('Retries');
    const page = (await (await pageReader(registry))(referenceRoot)).body.toString();
    for (const { title } of chaptersOf(registry)) expect(page).to.contain(`>${title}</h2>`);
    expect(page).to.contain('timingSafeEqual');
  });

  it('show a program that accepts valid signatures only', async () => {
    const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(verifySample)}`);
    const isFromSvc: unknown =
      typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'isFromSvc') : undefined;
    if (typeof isFromSvc !== 'function') throw new Error('The sample exports no isFromSvc.');
    const secret = 'svc_wh_secret';
    const body = Buffer.from('{"id":"1"}');
    const now = Math.floor(Date.now() / 1000);
    const header = (time: number, key = secret): string =>
      `t=${time},v1=${createHmac('sha256', key).update(`${time}.`).update(body).digest('hex')}`;
    const verdict = (given: string | undefined, sent = body): unknown =>
      Reflect.apply(isFromSvc, undefined, [secret, given, sent]);
    expect(verdict(header(now))).to.equal(true);
    expect(verdict(header(now, 'svc_wh_other'))).to.equal(false);
    expect(verdict(header(now - 301))).to.equal(false);
    expect(verdict(header(now), Buffer.from('{"id":"2"}'))).to.equal(false);
    const other = header(now, 'svc_wh_other').replace(/^t=\d+/, '');
    expect(verdict(`${header(now)}${other}`), 'the new and the old secret').to.equal(true);
    expect(verdict(`t=${now}${other}${header(now).replace(/^t=\d+/, '')}`)).to.equal(true);
    expect(verdict(`t=${now}${other}${other}`)).to.equal(false);
    expect(verdict('t=1,v1=ab')).to.equal(false);
    expect(verdict(undefined)).to.equal(false);
  });
});
