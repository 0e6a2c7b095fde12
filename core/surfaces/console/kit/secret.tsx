import type { ComponentChildren } from 'preact';
import type { ConsoleOperation } from '../shared.js';
import type { Row } from './state.js';
import { Dialog } from './dialog.js';
import { CopyButton } from './page.js';

interface SecretProps {
  title: string;
  secret: string;
  /** The same secret in another form, with the programs that take it. */
  other?: { label: string; secret: string } | undefined;
  /** What it is for, and that it is shown once. */
  hint: string;
  onClose: () => void;
  /** How to use it. */
  children?: ComponentChildren;
}

/** A secret that is shown once, to be copied. */
export const SecretDialog = ({ title, secret, other, hint, onClose, children }: SecretProps) => (
  <Dialog title={title} onClose={onClose}>
    <p class="soft">{hint}</p>
    <p class="secret">
      <code>{secret}</code> <CopyButton text={secret} label="Copy the secret" />
    </p>
    {other ? (
      <>
        <p class="soft">{other.label}</p>
        <p class="secret">
          <code>{other.secret}</code> <CopyButton text={other.secret} label="Copy this form of the secret" />
        </p>
      </>
    ) : null}
    {children}
    <form method="dialog" class="row end">
      <button class="b main">Close, it is copied</button>
    </form>
  </Dialog>
);

/** Secrets are not stored: a form that contains one is not kept. */
export const withoutSecrets =
  ({ input }: ConsoleOperation) =>
  (row: Row): boolean =>
    !Object.keys(row).some(
      (name) => input[name]?.format === 'password' || /secret|password|token|code$|privateKey/i.test(name),
    );
