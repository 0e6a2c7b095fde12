import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { email, ifUnchangedSince, mailbox, nullable, object, optional, text } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleSender } from '../../examples.js';
import { Sender } from '../../resources.js';
import { hasControls } from '#core/messaging/input.js';
import { displayNameProblem } from '../../templates/header.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { validateAddress, validateMailbox } from '../../messages/validate.js';
import { findSender, presentSender } from '../../senders/sender.js';
import { markDomainReferenced, freeDomain, requireVerifiedSender } from '../../senders/verified.js';
import type { SenderRow } from '../../tables/sender.js';

/** A blank name or address counts as none: marketing mail must show a real one. */
const filledOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

export default defineOperation({
  name: 'email.sender.set',
  summary: 'Sets the default from address, from name, reply-to address and legal postal address.',
  description: 'Fields that are left out stay as they are.',
  keywords: 'mail change from address footer imprint',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      from: optional(
        mailbox(
          'An address on the project’s own sending domain or on a verified one. It may include a name, which becomes fromName.',
        ),
      ),
      fromName: optional(text('The name that recipients see.', { maxLength: 120 })),
      replyTo: optional(nullable(email('Where replies go; null if they go to the from address.'))),
      legalAddress: optional(text('The postal address that marketing mail must include.', { maxLength: 500 })),
      ifUnchangedSince,
    },
    { minProperties: 1 },
  ),
  output: object({ sender: Sender }),
  errors: ['sender_not_verified'],
  events: ['email.sender.changed'],
  example: { input: { fromName: 'Shop', replyTo: 'help@example.com' }, output: { sender: exampleSender } },

  async handle({ from: fromGiven, fromName: nameGiven, replyTo, legalAddress, ifUnchangedSince: since }, context) {
    const { db, caller, clock, emit, audit } = context;
    const { environment } = caller;
    const nameProblem = nameGiven === undefined ? null : displayNameProblem(nameGiven);
    if (nameProblem !== null) throw invalidField('fromName', nameProblem);
    if (legalAddress !== undefined && hasControls(legalAddress.replace(/\r?\n/g, '')))
      throw invalidField('legalAddress', 'must not contain control characters other than line breaks');
    const mailboxGiven = fromGiven === undefined ? undefined : validateMailbox('from', fromGiven);
    const from = mailboxGiven?.address;
    const fromName = nameGiven ?? mailboxGiven?.name ?? undefined;
    if (from !== undefined) await requireVerifiedSender(context, environment, from);
    const now = clock.now();
    // Inserted before it is read, so that two simultaneous first calls merge instead of overwriting each other.
    await db.run(
      'INSERT INTO email_sender (environment_id, updated_at) VALUES (?, ?) ON DUPLICATE KEY UPDATE environment_id = environment_id',
      [idBytes(environment.id), now],
    );
    await db.rows('SELECT environment_id FROM email_sender WHERE environment_id = ? FOR UPDATE', [
      idBytes(environment.id),
    ]);
    const before = await findSender(context, environment.id);
    if (!before) throw new Error('The sender row was deleted inside its own transaction.');
    await requireUnchanged(context, since, before, {
      type: 'environment',
      id: environment.id,
      operations: 'email.sender.',
    });
    const after: SenderRow = {
      ...before,
      fromAddress: from ?? before.fromAddress,
      fromName: fromName === undefined ? before.fromName : filledOrNull(fromName),
      replyTo: replyTo === undefined ? before.replyTo : replyTo && validateAddress('replyTo', replyTo),
      legalAddress: legalAddress === undefined ? before.legalAddress : filledOrNull(legalAddress),
      // A row without a value was inserted by this call.
      updatedAt: isEmpty(before) ? now : updateTime(before, now),
    };
    const fields = ['from', 'fromName', 'replyTo', 'legalAddress'] as const;
    const changes = changesBetween(presentSender(before), presentSender(after), fields);
    audit({
      subject: { type: 'environment', id: environment.id },
      summary: 'Set the default sender.',
      changes,
      unchanged: 'the default sender already had these values.',
    });
    if (changes.length === 0) return { sender: presentSender(before) };
    await db.run(
      'UPDATE email_sender SET from_address = ?, from_name = ?, reply_to = ?, legal_address = ?, updated_at = ? WHERE environment_id = ?',
      [after.fromAddress, after.fromName, after.replyTo, after.legalAddress, after.updatedAt, idBytes(environment.id)],
    );
    if (after.fromAddress !== null && after.fromAddress !== before.fromAddress) {
      await freeDomain(db, environment.id);
      await markDomainReferenced(context, environment, after.fromAddress, {
        type: 'default sender',
        id: environment.id,
      });
    }
    const sender = presentSender(after);
    emit('email.sender.changed', { subjectId: environment.id, data: { sender } });
    return { sender };
  },
});

const isEmpty = ({ fromAddress, fromName, replyTo, legalAddress }: SenderRow): boolean =>
  [fromAddress, fromName, replyTo, legalAddress].every((each) => each === null);
