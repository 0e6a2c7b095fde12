import { useState } from 'preact/hooks';
import {
  acting,
  addressOf,
  FormDialog,
  Notice,
  Refusal,
  TextInput,
  useAction,
} from '#core/surfaces/console/kit/index.js';
import { asTyped } from './as-typed.js';
import type { PreviewState } from './template-preview.js';
import { templateTexts } from './texts.js';

/** Sends the email of the preview to one address, first of all one's own. */
export function TestMail({
  preview: { mail, missing, problem },
  onClose,
}: {
  preview: PreviewState;
  onClose: () => void;
}) {
  const [to, setTo] = useState(acting.value?.member?.email ?? '');
  const [sent, setSent] = useState<string>();
  const action = useAction();
  const lacking = !mail
    ? problem
      ? templateTexts.broken
      : templateTexts.noPreview
    : missing.length > 0
      ? `${templateTexts.testMissing}: ${missing.join(', ')}.`
      : to.trim() === ''
        ? 'Give an address first.'
        : undefined;
  const send = async (): Promise<void> => {
    if (!mail) return;
    const result = await action.run('email.send', {
      to: to.trim(),
      subject: asTyped(`Test: ${mail.subject}`),
      ...(mail.html === '' ? {} : { html: asTyped(mail.html) }),
      ...(mail.text === '' ? {} : { text: asTyped(mail.text) }),
      tags: { test: 'true' },
    });
    if (result) setSent(result.messageId);
  };
  return (
    <FormDialog
      title="Send a test"
      icon="send"
      busy={action.busy}
      refused={lacking}
      action="Send test"
      cancel="Close"
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      {sent === undefined ? null : (
        <Notice tone="good" action={<a href={addressOf(['email', 'message', sent])}>Show the email</a>}>
          The test is on its way to {to}.
        </Notice>
      )}
      <TextInput
        label="To"
        value={to}
        onInput={setTo}
        required
        hint="The email of the preview, with its test values."
      />
      {lacking === undefined ? null : <p class="soft">{lacking}</p>}
    </FormDialog>
  );
}
