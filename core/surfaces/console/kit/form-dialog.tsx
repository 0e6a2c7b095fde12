import type { ComponentChildren, JSX } from 'preact';
import { Dialog } from './dialog.js';
import type { IconName } from './icon.js';
import { Button } from './page.js';

interface FormDialogProps extends Pick<JSX.IntrinsicElements['form'], 'id' | 'onPaste' | 'onDragOver' | 'onDrop'> {
  title: string;
  /** A verb with an object, on the button that submits the form. */
  action: string;
  kind?: 'main' | 'danger';
  icon?: IconName;
  busy?: boolean;
  /** Why the form cannot be submitted yet. */
  refused?: string | undefined;
  onSubmit: () => void;
  /** Escape, and the cancel button unless `onCancel` is given. */
  onClose: () => void;
  onCancel?: () => void;
  /** The text of the cancel button. */
  cancel?: string;
  class?: string;
  children: ComponentChildren;
}

/** A dialog with one form: Enter does what its main button does. */
export const FormDialog = ({
  title,
  action,
  kind = 'main',
  icon,
  busy = false,
  refused,
  onSubmit,
  onClose,
  onCancel = onClose,
  cancel = 'Cancel',
  class: names = '',
  children,
  ...form
}: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <form
      {...form}
      class={`stack ${names}`.trim()}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (refused === undefined) onSubmit();
      }}
    >
      {children}
      <div class="row end">
        <Button kind="bare" onClick={onCancel}>
          {cancel}
        </Button>
        <Button kind={kind} submit busy={busy} refused={refused} {...(icon ? { icon } : {})}>
          {busy ? 'Working…' : action}
        </Button>
      </div>
    </form>
  </Dialog>
);
