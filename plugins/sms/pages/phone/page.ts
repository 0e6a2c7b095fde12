import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import { parsePhone } from '#core/kernel/schema/phone.js';
import type { Services } from '#core/kernel/services.js';
import { originsOf } from '#core/messaging/origins.js';
import { isFromDeveloper, nothingHere } from '#core/surfaces/pages/developer-page.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { deploymentSettings } from '../../deployment/settings.js';
import { clearTexts, listTexts, newestText, phoneFiles } from '../../providers/log/store.js';
import { conversationView } from './conversation.js';
import { addressOf, longestText, phonePath } from './frame.js';
import { listView, type ListModel } from './list.js';
import { keywordsOf, numbersToWriteTo } from './look-up.js';
import { selectPhones, selectionIn } from './select.js';
import { write } from './write.js';

/** Shows developers the texts that svc would have sent, and lets them answer as the recipient. */
export const phonePage: Page = {
  path: phonePath,
  methods: ['GET', 'POST'],
  startLink: (page, services) =>
    isFromDeveloper(page, services) && !hasProvider(services)
      ? {
          path: phonePath,
          title: 'Phone',
          summary: 'The messages that would have been sent, and a form to reply to them.',
        }
      : undefined,
  async answer(page, services) {
    if (!isFromDeveloper(page, services)) return nothingHere();
    if (page.method === 'POST') return change(page, services);
    const files = phoneFiles(services.deployment);
    if (page.query.has('newest'))
      return { status: 200, body: await newestText(files), type: 'text/plain; charset=utf-8', headers: privateHeaders };
    const phone = page.query.get('phone');
    return phone === null ? list(services, page) : conversation(services, phone);
  },
};

const hasProvider = ({ deployment }: Services): boolean =>
  deployment.settingsOf(deploymentSettings).smsUrl !== undefined;

async function list(
  services: Services,
  { query }: Pick<PageRequest, 'query'>,
  entered?: ListModel['entered'],
): Promise<PageAnswer> {
  const files = phoneFiles(services.deployment);
  const texts = await listTexts(files);
  const selection = selectionIn(query);
  return listView({
    selection,
    ...selectPhones(texts, selection),
    newestId: texts[0]?.id ?? '',
    total: texts.length,
    folder: files.folder,
    numbers: hasProvider(services) ? [] : await numbersToWriteTo(services, []),
    hasProvider: hasProvider(services),
    ...(entered ? { entered } : {}),
  });
}

async function conversation(
  services: Services,
  phone: string,
  entered?: { body: string; problem: string },
): Promise<PageAnswer> {
  const all = await listTexts(phoneFiles(services.deployment));
  const texts = all.filter((text) => text.phone === phone);
  if (texts.length === 0) return nothingHere();
  const written = texts.flatMap(({ id, direction }) => (direction === 'in' ? [id] : []));
  const [origins, keywords] = await Promise.all([
    originsOf(
      services.database,
      'sms_message',
      texts.flatMap(({ messageId }) => messageId ?? []),
    ),
    keywordsOf(services.database, written),
  ]);
  const known = texts.map(({ number }) => number);
  return conversationView({
    phone,
    texts: texts.toReversed().map((text) => ({
      ...text,
      origin: origins.get(text.messageId ?? ''),
      keyword: keywords.get(text.id),
    })),
    newestId: all[0]?.id ?? '',
    numbers: hasProvider(services) ? [] : await numbersToWriteTo(services, known),
    ...(entered ? { entered } : {}),
  });
}

/** @throws invalid_input for another form */
async function change({ form, query }: PageRequest, services: Services): Promise<PageAnswer> {
  if (form.get('do') === 'clear') {
    await clearTexts(phoneFiles(services.deployment));
    return seeOther(phonePath);
  }
  const word = form.get('word');
  if ((form.get('do') !== 'write' && word === null) || hasProvider(services))
    throw invalidField('do', 'must be clear or write');
  const from = query.get('phone') ?? form.get('phone') ?? '';
  const body = word ?? form.get('body') ?? '';
  const refuse = (problem: string): Promise<PageAnswer> =>
    query.has('phone')
      ? conversation(services, from, { body, problem })
      : list(services, { query }, { from, body, problem });
  const phone = parsePhone(from);
  if (!phone.ok) return refuse(`The phone number ${phone.problem}.`);
  if (body.trim() === '') return refuse('Write something first.');
  if (body.length > longestText) return refuse(`A text has at most ${longestText} characters.`);
  await write(services, { phone: phone.number, number: form.get('number') ?? '', body });
  return seeOther(`${phonePath}${addressOf(phone.number)}#write`);
}
