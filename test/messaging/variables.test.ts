import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding, type ProductName } from '#test/support/products.js';

const kibibyte = 1_024;
const productsOf = (operation: string): ProductName[] => [
  operation.startsWith('sms.') ? 'sms' : 'email',
  ...(operation.includes('.broadcast.') ? (['audience'] as const) : []),
];
/** Variables of exactly this many bytes as JSON: `{"a":"…"}`. */
const sized = (bytes: number): Record<string, unknown> => ({ a: 'x'.repeat(bytes - 8) });

describe('The variables of messages', () => {
  const platform = usePlatform();
  const to = 'ada@example.com';
  const text = { to: '+4915123456789', body: 'Hello' };
  const mail = { to, subject: 'Hello', text: 'Hello' };
  const content = { subject: 'Hello', text: 'Hello' };
  const draft = { name: 'Sale', template: 'sale', topic: 'offers' };

  /** Each operation that takes them: the most bytes, the call with some, and the field that a refusal names. */
  const operations = [
    ['sms.send', 256, (variables: object) => ({ ...text, variables }), 'variables'],
    ['sms.estimate', 256, (variables: object) => ({ ...text, variables }), 'variables'],
    ['email.send', 256, (variables: object) => ({ ...mail, variables }), 'variables'],
    [
      'email.batch.send',
      256,
      (variables: object) => ({ messages: [mail, { ...mail, variables }] }),
      'messages[1].variables',
    ],
    ['email.template.preview', 256, (variables: object) => ({ content, variables }), 'variables'],
    ['sms.broadcast.create', 32, (variables: object) => ({ ...draft, variables }), 'variables'],
    ['email.broadcast.create', 32, (variables: object) => ({ ...draft, from: to, variables }), 'variables'],
  ] as const;

  for (const [operation, most, inputWith, field] of operations)
    itNeeding(...productsOf(operation))(
      `${operation} takes ${most} KiB of them as JSON, 200 names and 32 levels; a refusal names the field`,
      async () => {
        const { svc } = await platform.account();
        const call = (variables: object) =>
          svc.raw(`/${operation.replaceAll('.', '/')}`, JSON.stringify(inputWith(variables)));
        expect((await call(sized(most * kibibyte))).status).to.equal(200);
        const deep: unknown = JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`);
        const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`name${index}`, index]));
        for (const [variables, named] of [
          [sized(most * kibibyte + 1), field],
          [many, field],
          [{ deep }, `${field}.deep.a`],
        ] as const) {
          const { status, text: answered } = await call(variables);
          expect(status, answered).to.equal(400);
          expect(answered).to.contain('"code":"invalid_input"').and.to.contain(`“${named}`);
        }
      },
    );

  itNeeding('audience', 'email')('email.broadcast.update bounds them as create does', async () => {
    const { svc } = await platform.account();
    const { broadcast } = await svc.call('email.broadcast.create', { ...draft, from: to });
    const input = { broadcastId: broadcast.id, variables: sized(32 * kibibyte + 1) };
    const refused = await svc.refusal('email.broadcast.update', input);
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'variables' });
  });
});
