import { useEffect, useState } from 'preact/hooks';
import { addressOf, useAddress } from './address.js';

/** The part of an address that asks for a dialog: `audience/topic?open=create`. */
export const openedName = 'open';

/**
 * Whether a dialog is open. An address can ask for it, once: a reload or the way back does not open it again.
 * @param name of the dialog in the address
 * @param refused why the person may not open it
 */
export function useOpened(name: string | undefined, refused?: string): readonly [boolean, (open: boolean) => void] {
  const { path, query, go } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const isAsked = name !== undefined && query[openedName] === name;
  useEffect(() => {
    if (!isAsked) return;
    const { [openedName]: _, ...kept } = query;
    go(addressOf(path, kept), true);
    if (refused === undefined) setOpen(true);
  }, [isAsked]);
  return [isOpen, setOpen];
}
