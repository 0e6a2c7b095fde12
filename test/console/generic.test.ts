import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { at } from '#test/support/json.js';
import { useConsole } from './support.js';

const Planet = object(
  { id: uuid('Its id.'), name: text('Its name.'), createdAt: dateTime('When it was found.') },
  { description: 'A planet.' },
);
const venus = { id: '01890a5d-ac96-774b-bcce-b302099a8101', name: 'Venus', createdAt: '2026-11-20T09:30:00.000Z' };

const pagesBefore = 0x2000;
const cursorOf = (at: number): string => `01890a5d-ac96-774b-bcce-b302099a${at.toString(16).padStart(4, '0')}`;

/** A product that the console has never heard of. */
const planets = definePlugin({
  name: 'planets',
  summary: 'The planets.',
  tables: [],
  operations: [
    defineOperation({
      name: 'planets.planet.list',
      summary: 'List the planets.',
      access: 'secret',
      impact: { read: true, retrySafe: true },
      input: object({}),
      output: object({ planets: list(Planet, 'The planets.') }),
      example: { input: {}, output: { planets: [venus] } },
      handle: async () => ({ planets: [venus] }),
    }),
    defineOperation({
      name: 'planets.moon.list',
      summary: 'List the moons.',
      access: 'secret',
      impact: { read: true, retrySafe: true },
      input: object({ ...page, name: optional(text('Its name.')) }),
      output: object({ moons: list(Planet, 'The moons.'), nextBefore }),
      example: { input: {}, output: { moons: [venus], nextBefore: null } },
      // Pages without a match, as of a search through many million rows: a call reads 50, the console makes 25 calls.
      handle: async ({ name, before }) => {
        const at = before === undefined ? pagesBefore : Number.parseInt(before.slice(-4), 16);
        const isEnd = name === 'Io' && at === pagesBefore - 1_300;
        return { moons: isEnd ? [{ ...venus, name: 'Io' }] : [], nextBefore: isEnd ? null : cursorOf(at - 1) };
      },
    }),
    defineOperation({
      name: 'planets.planet.get',
      summary: 'Show a planet.',
      access: 'secret',
      impact: { read: true, retrySafe: true },
      input: object({ planetId: uuid('Which one.') }),
      output: object({ planet: Planet }),
      example: { input: { planetId: venus.id }, output: { planet: venus } },
      handle: async () => ({ planet: venus }),
    }),
    defineOperation({
      name: 'planets.planet.visit',
      summary: 'Visit a planet.',
      access: 'secret',
      accountWide: false,
      impact: { retrySafe: true },
      input: object({ planetId: uuid('Which one.') }),
      output: object({ greeting: text('What it says.') }),
      example: { input: { planetId: venus.id }, output: { greeting: 'Hello' } },
      handle: async (_, { audit }) => {
        audit({ subject: { type: 'planet', id: venus.id }, summary: 'Visited a planet.' });
        return { greeting: 'Hello from Venus' };
      },
    }),
  ],
  events: {},
  errors: {},
});

describe('The console, as the registry makes it', function () {
  this.timeout(120_000);
  const test = useConsole({ plugins: [planets] });
  const { platform } = test;

  it('reads on while the pages of a search have no match, says how far, and asks before it goes further', async () => {
    const page = await test.open(await platform.account(), 'planets/moon?name=Io');
    await page.getByText(/^Nothing matches back to .*2023/).waitFor({ timeout: 60_000 });
    expect(await page.getByText('Nothing matches these filters').count()).to.equal(0);
    await page.getByRole('button', { name: 'Search further back' }).click();
    await page.getByRole('cell', { name: 'Io' }).waitFor({ timeout: 60_000 });
  });

  it('has a form for every operation', async () => {
    const account = await platform.account();
    const page = await test.open(account, '');
    const names = [...platform.running.registry.operations.keys()];
    expect(names).to.have.length.above(220);
    const without: string[] = [];
    for (const name of names) {
      // As a link does it: the address changes, and the document stays.
      await page.evaluate(
        `history.pushState(null, '', '/console/${account.live.id}/do/${name}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      const tag = page.locator('.head .tag', { hasText: name });
      const found = await tag.waitFor({ timeout: 5_000 }).then(
        () => page.locator('main form button[type=submit]').count(),
        () => 0,
      );
      if (found !== 1) without.push(name);
    }
    expect(without).to.deep.equal([]);
    expect(test.complaints).to.deep.equal([]);
  });

  it('shows a product that it has never heard of: list, page, action, audit record', async () => {
    const account = await platform.account();
    const page = await test.open(account, '');
    await page.getByRole('navigation', { name: 'Main' }).getByText('Planets', { exact: true }).first().click();
    await page.getByRole('link', { name: 'Planets', exact: true }).first().click();
    await page.getByRole('link', { name: 'Venus' }).click();
    await page.getByRole('heading', { level: 1, name: 'Venus' }).waitFor();
    await page.getByRole('link', { name: 'Visit planet' }).click();
    expect(await page.getByLabel('Planet ID').inputValue()).to.equal(venus.id);
    await page.getByRole('button', { name: 'Visit planet' }).click();
    await page.getByText('Hello from Venus').waitFor();
    await page.getByRole('link', { name: 'View audit record' }).click();
    await page.getByText('Visited a planet.').first().waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('leads from a refusal to the operation that fixes it, and names the field of bad input', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'do/audience.segment.get?segmentId=01890a5d-ac96-774b-bcce-b302099a8101');
    await page.getByRole('button', { name: 'Get segment' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('segment').first().waitFor();
    expect(await refusal.getByRole('link').count()).to.be.above(0);
    await page.goto(page.url().replace(/do\/.*$/, 'do/developers.webhook.create?url=nowhere'));
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const field = page.getByLabel('URL', { exact: false }).first();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
  });

  it('shows the call of a form in Go, and the next form in the same language', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'do/audience.topic.create?key=letters&name=Letters');
    const drawer = page.getByRole('region', { name: 'The request behind this form' });
    await drawer.getByRole('tab', { name: 'Go' }).click();
    const code = drawer.getByRole('tabpanel', { name: 'Go' });
    expect(await code.textContent()).to.equal(
      [
        'in := svc.AudienceTopicCreateInput{',
        '\tKey:  "letters",',
        '\tName: "Letters",',
        '}',
        'out, err := client.Audience.Topic.Create(ctx, in)',
      ].join('\n'),
    );
    await page.goto(page.url().replace(/do\/.*$/, 'do/audience.topic.list'));
    expect(await code.textContent()).to.contain('client.Audience.Topic.List(ctx, in)');
    expect(test.complaints).to.deep.equal([]);
  });

  it('keeps what was typed when the server dies before it answers, and does nothing twice', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'do/audience.topic.create');
    const url = '**/audience/topic/create';
    // The server does the work; its answer is lost.
    await page.route(url, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByLabel('Key', { exact: false }).first().fill('letters');
    await page.getByLabel('Name', { exact: false }).first().fill('Letters of a gardener');
    await page.getByRole('button', { name: 'Create topic' }).click();
    const alert = (await page.getByRole('alert').first().textContent()) ?? '';
    expect(alert).to.contain('The server cannot be reached.Check your connection to the internet, then try again.');
    expect(alert).to.not.contain('baseUrl').and.not.contain('idempotencyKey');
    expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).to.equal('Letters of a gardener');
    await page.unroute(url);
    await page.getByRole('button', { name: 'Create topic' }).click();
    await page.locator('.toast').first().waitFor();
    const { topics } = await account.svc.call('audience.topic.list', {});
    expect(topics.map(({ key }) => key)).to.deep.equal(['letters']);
    const { activities } = await account.svc.call('account.activity.list', { operation: 'audience.topic.create' });
    expect(activities).to.have.length(1);
  });

  it('shows text that a contact wrote as text', async () => {
    const account = await platform.account();
    const hostile = '<img src=x onerror="document.title=1">{{ 1 }}</script>';
    const made: unknown = await account.svc.call('audience.contact.upsert', {
      email: 'eve@example.com',
      firstName: hostile,
      properties: { city: hostile },
    });
    const id = String(at(made, 'contact', 'id'));
    const page = await test.open(account, 'audience/contact');
    await page.getByText(hostile).first().waitFor();
    await page.goto(page.url().replace('audience/contact', `audience/contact/${id}`));
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator('main img').count()).to.equal(0);
    expect(test.complaints).to.deep.equal([]);
  });

  it('disables what the role of a member does not allow, and says why', async () => {
    const account = await platform.account();
    const email = `viewer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const page = await test.open(account, 'do/audience.topic.create', { email });
    const button = page.getByRole('button', { name: /Create topic/ });
    expect(await button.getAttribute('aria-disabled')).to.equal('true');
    expect(await button.getAttribute('title'))
      .to.contain('audience:write')
      .and.contain('viewer');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.getByLabel('Key', { exact: false }).first().fill('news');
    await page.getByLabel('Name', { exact: false }).first().fill('News');
    await page.keyboard.press('Enter');
    await button.click({ force: true });
    expect(calls.filter((path) => path.endsWith('/audience/topic/create'))).to.deep.equal([]);
    await page.goto(page.url().replace('do/audience.topic.create', 'audience/topic'));
    await page.getByText('No topics yet.').waitFor();
  });

  it('is accessible and fits phones, in light and dark', async () => {
    const account = await platform.account();
    for (let count = 0; count < 3; count += 1)
      await account.svc.call('audience.contact.upsert', { email: `ada${count}@example.com`, firstName: 'Ada' });
    const { activities } = await account.svc.call('account.activity.list', {});
    const screens = {
      home: '',
      list: 'audience/contact',
      thing: `account/activity/${activities[0]?.id ?? ''}`,
      form: 'do/email.send',
      product: 'email',
      empty: 'email/broadcast',
    };
    for (const [name, path] of Object.entries(screens)) {
      const page = await test.open(account, path, { bypassCSP: true });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await expectGoodLooks(page, `console-${name}`);
      await page.close();
    }
  });
});
