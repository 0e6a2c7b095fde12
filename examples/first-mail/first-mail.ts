import { setTimeout as wait } from 'node:timers/promises';
import { isSvcError, Svc } from 'svc-sdk';

const [to = 'ada@example.com'] = process.argv.slice(2);
const svc = new Svc({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['SVC_API_KEY'],
});

/** Sends the mail and follows it to its final status. */
async function sendAndFollow(): Promise<void> {
  const { messageId, status, blocked } = await svc.email.send({
    to,
    subject: 'Hello {{ name }}',
    text: 'It works, {{ name }}.',
    variables: { name: 'Ada' },
  });
  console.log(`Accepted as ${messageId}: ${status}`);
  if (blocked !== null) {
    console.log(`It will not leave: ${blocked.reason}. ${blocked.fix}`);
    return;
  }
  for (;;) {
    const { message, recipients } = await svc.email.message.get({ messageId });
    if (message.status !== 'queued' && message.status !== 'sending') {
      for (const { email, status: outcome, response } of recipients)
        console.log(`${email}: ${outcome}${response === null ? '' : ` (${response})`}`);
      return;
    }
    await wait(200);
  }
}

try {
  await sendAndFollow();
} catch (error) {
  if (!isSvcError(error)) throw error;
  console.error(`${error.code}: ${error.message}\n${error.fix}`);
  process.exitCode = 1;
}
