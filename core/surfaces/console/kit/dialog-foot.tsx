import { Button } from './page.js';

interface DialogFootProps {
  /** A verb with an object; the button submits the form. */
  action: string;
  kind?: 'main' | 'danger';
  busy: boolean;
  /** Why the form cannot be submitted yet. */
  refused?: string | undefined;
  onCancel: () => void;
}

/** The foot of a dialog with a form: a way out, and the button that submits it. */
export const DialogFoot = ({ action, kind = 'main', busy, refused, onCancel }: DialogFootProps) => (
  <div class="row end">
    <Button kind="bare" onClick={onCancel}>
      Cancel
    </Button>
    <Button kind={kind} submit busy={busy} refused={refused}>
      {busy ? 'Working…' : action}
    </Button>
  </div>
);
