import { isSvcError, Svc } from 'svc-sdk';

const [to = 'ada@example.com', locale = 'en'] = process.argv.slice(2);
const svc = new Svc({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['SVC_API_KEY'],
});

const template = 'order.shipped';
const variables = { firstName: 'Ada', order: { number: 'A-1024', url: 'https://example.com/orders/A-1024' } };

try {
  await svc.email.template.draft.save({
    template,
    description: 'Sent when an order leaves the warehouse.',
    locales: {
      en: {
        subject: 'Your order {{ order.number }} is on its way',
        preheader: 'It should arrive within three days.',
        html: '<h1>Good news, {{ firstName }}</h1><p>Your order is on its way.</p><p><a class="button" href="{{ order.url }}">Follow it</a></p>',
      },
      de: {
        subject: 'Ihre Bestellung {{ order.number }} ist unterwegs',
        preheader: 'Sie sollte in drei Tagen da sein.',
        html: '<h1>Gute Nachrichten, {{ firstName }}</h1><p>Ihre Bestellung ist unterwegs.</p><p><a class="button" href="{{ order.url }}">Verfolgen</a></p>',
      },
    },
  });
  const shown = await svc.email.template.preview({ template, locale, variables });
  if (shown.missing.length > 0) throw new Error(`Missing: ${shown.missing.join(', ')}`);
  console.log(shown.text);
  const { version } = await svc.email.template.publish({ template });
  const sent = await svc.email.send({ to, template, locale, variables });
  console.log(`Version ${version} of ${template}, in ${sent.templateLocale}: ${sent.subject}`);
} catch (error) {
  if (!isSvcError(error)) throw error;
  console.error(`${error.code}: ${error.message}\n${error.fix}`);
  process.exitCode = 1;
}
