import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './page.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog: the platform keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Closed before it is removed, so that the focus returns to the button that opened it.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What will happen, and to how many. */
  children: ComponentChildren;
  /** A verb with an object: “Delete 3 contacts”. */
  action: string;
  /** `main` for what destroys nothing. */
  kind?: 'main' | 'danger';
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once before something that cannot be undone, or that many people see at once. */
export const Confirm = ({ title, children, action, kind = 'danger', onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <div class="soft">{children}</div>
    <div class="row end">
      <Button kind="bare" onClick={onClose}>
        Cancel
      </Button>
      <Button
        kind={kind}
        onClick={() => {
          onConfirm();
          onClose();
        }}
      >
        {action}
      </Button>
    </div>
  </Dialog>
);
