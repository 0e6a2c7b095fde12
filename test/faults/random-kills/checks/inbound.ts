import { acceptedOf, answered, type Evidence } from './check.js';

/** Checks and the wait until a text is handed over take less. */
const submissionMs = 1_000;

/** Nothing but one answer leaves to a number after its STOP was taken. */
export async function checkStops({ db, journal, violations, environment }: Evidence): Promise<void> {
  const sends = new Set(acceptedOf(journal, 'sms.send').map(({ input }) => String(input['body'])));
  for (const { key, input, answer } of acceptedOf(journal, 'callback.sms.stop')) {
    const arrived = journal.texts.filter(({ to }) => to === input['from']);
    const replies = arrived.filter(({ id }) => !sends.has(id));
    if (replies.length !== 1) violations.add('A STOP is answered once', `${key}: ${replies.length} answers.`);
    for (const { id, at } of arrived)
      if (sends.has(id) && at > (answer?.at ?? 0) + submissionMs)
        violations.add(
          'No message leaves after an opt-out',
          `${key}: the text ${id} left at ${new Date(at).toISOString()}.`,
        );
    const after = journal.entries.get(key.replace(/\.stop$/, '.after'));
    if (after?.answer?.accepted === true && answered(after, 'result', 'status') !== 'suppressed')
      violations.add('No message leaves after an opt-out', `${after.key} was accepted after the STOP was taken.`);
  }
  const rows = await db.rows<{ sender: string | Buffer; found: number }>(
    'SELECT from_number AS sender, COUNT(*) AS found FROM sms_inbound WHERE environment_id = ? GROUP BY from_number',
    [environment],
  );
  const stored = new Map(rows.map(({ sender, found }) => [sender.toString(), found]));
  for (const { key, input } of acceptedOf(journal, 'callback.sms.stop'))
    if (stored.get(String(input['from'])) !== 1)
      violations.add(
        'What is received is stored once',
        `${key} is stored ${stored.get(String(input['from'])) ?? 0} times.`,
      );
}

/** Each received mail is stored once and has one event. */
export async function checkReceived({ db, journal, violations, environment }: Evidence): Promise<void> {
  const rows = await db.rows<{ subject: string; found: number; events: number }>(
    `SELECT email_inbound.subject, COUNT(DISTINCT email_inbound.id) AS found, COUNT(svc_event.id) AS events FROM email_inbound
     LEFT JOIN svc_event ON svc_event.environment_id = email_inbound.environment_id AND svc_event.type = 'email.inbound.received'
       AND svc_event.subject_id = LOWER(CONCAT_WS('-', SUBSTR(HEX(email_inbound.id), 1, 8), SUBSTR(HEX(email_inbound.id), 9, 4),
         SUBSTR(HEX(email_inbound.id), 13, 4), SUBSTR(HEX(email_inbound.id), 17, 4), SUBSTR(HEX(email_inbound.id), 21)))
     WHERE email_inbound.environment_id = ? GROUP BY email_inbound.subject`,
    [environment],
  );
  const stored = new Map(rows.map((row) => [row.subject, row]));
  const accepted = acceptedOf(journal, 'callback.email.ingest');
  for (const { key } of accepted) {
    const { found = 0, events = 0 } = stored.get(key) ?? {};
    if (found !== 1 || events !== 1)
      violations.add(
        'What is received is stored once',
        `The mail ${key} is stored ${found} times and has ${events} events.`,
      );
  }
}
