import { expect } from 'chai';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { ChannelTemplates } from '#core/messaging/templates/channel.js';
import { checkContents } from '#core/messaging/templates/check.js';
import { saveDraft } from '#core/messaging/templates/draft.js';
import { pickLocale } from '#core/messaging/templates/locale.js';
import { publishDraft } from '#core/messaging/templates/publish.js';
import { createVersionLoader, findPublishedTemplate } from '#core/messaging/templates/published.js';
import { templateColumns, templateContentColumns, templateVersionColumns } from '#core/messaging/templates/tables.js';
import { defineTable } from '#core/runtime/database/table.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

interface Note {
  body: string;
}

/** A channel whose contents are one text, like SMS. */
const channel: Pick<ChannelTemplates<Note, Note>, 'name' | 'tables' | 'builtIn' | 'partsOf'> = {
  name: 'sms',
  tables: {
    templates: defineTable('note_template', templateColumns),
    versions: defineTable('note_template_version', templateVersionColumns),
    contents: defineTable('note_template_content', templateContentColumns<Note, Note>()),
  },
  builtIn: () => null,
  partsOf: ({ body }) => [{ part: 'body', source: body, escaping: 'none' }],
};
const { tables } = channel;

describe('templates of a channel of its own', () => {
  needProducts('email');
  const platform = usePlatform();
  const database = () => platform.running.services.database;
  before(async () => {
    for (const table of ['template', 'template_version', 'template_content'])
      await database().run(`CREATE TABLE note_${table} LIKE email_${table}`);
  });

  const save = async ({ live }: TestAccount, locales: Record<string, Note>) => {
    const checked = await checkContents(turnsOf(live), channel, locales);
    return platform.running.services.transaction('Test', ({ db, clock }) =>
      saveDraft(db, channel, live.id, { name: 'code', locales: checked }, clock.now()),
    );
  };

  const publish = async (account: TestAccount, locales: Record<string, Note>) => {
    const { after } = await save(account, locales);
    const facts = { environmentId: account.live.id, name: 'code', publishedBy: 'Test', now: platform.clock.now() };
    return platform.running.services.transaction('Test', ({ db }) =>
      publishDraft(db, channel, facts, { revision: after.revision, compiled: locales }),
    );
  };

  it('are saved, published in versions that do not change, and found by name', async () => {
    const account = await platform.account();
    const { id } = account.live;
    await publish(account, { en: { body: 'One {{ code }}' } });
    await publish(account, { en: { body: 'Two {{ code }} {{ name }}' }, de: { body: 'Zwei {{ code }}' } });
    const [first, second] = [
      await findPublishedTemplate(database(), tables, id, 'code', 1),
      await findPublishedTemplate(database(), tables, id, 'code'),
    ];
    expect(first).to.deep.include({ version: 1, locales: ['en'], variables: ['code'] });
    expect(second).to.deep.include({ version: 2, locales: ['de', 'en'], variables: ['code', 'name'] });
    const loader = createVersionLoader(tables, ({ body }) => body.length);
    const loaded = await loader.load(database(), [first?.versionId ?? '', second?.versionId ?? '']);
    expect([...loaded.values()].map(({ contents }) => contents['en']?.body)).to.have.members([
      'One {{ code }}',
      'Two {{ code }} {{ name }}',
    ]);
    expect(await findPublishedTemplate(database(), tables, account.test.id, 'code')).to.equal(null);
  });

  it('are not published from a draft that changed after it was compiled', async () => {
    const account = await platform.account();
    const { after } = await save(account, { en: { body: 'One' } });
    await save(account, { en: { body: 'Two' } });
    const facts = { environmentId: account.live.id, name: 'code', publishedBy: 'Test', now: platform.clock.now() };
    const refused = await platform.running.services
      .transaction('Test', ({ db }) => publishDraft(db, channel, facts, { revision: after.revision, compiled: {} }))
      .catch((error: unknown) => error);
    expect(refused).to.include({ code: 'changed_meanwhile' });
  });

  it('choose a locale: the first wanted one that is there, each falling back, else the default', () => {
    const locales = ['en', 'de', 'zh-Hant', 'pt-BR'];
    const pick = (...wanted: (string | null)[]): string => pickLocale(locales, wanted, 'en');
    expect(pick('de-AT')).to.equal('de');
    expect(pick('ZH-hant-TW')).to.equal('zh-Hant');
    expect(pick('pt')).to.equal('en');
    expect(pick('fr', null, 'de')).to.equal('de');
    expect(pick()).to.equal('en');
    expect(pickLocale(['de'], ['fr'], 'en')).to.equal('de');
  });
});
