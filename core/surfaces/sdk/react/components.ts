'use client';
import { createElement, type ComponentPropsWithoutRef, type ReactNode } from 'react';
import type { SignInOptions } from './browser-session.js';
import { useSvc } from './provider.js';

/** Shows its children if somebody is signed in. While the session is loading, neither this nor SignedOut does. */
export function SignedIn({ children }: { readonly children?: ReactNode }): ReactNode {
  return useSvc().state.status === 'signed-in' ? children : null;
}

/** Shows its children if nobody is signed in. */
export function SignedOut({ children }: { readonly children?: ReactNode }): ReactNode {
  return useSvc().state.status === 'signed-out' ? children : null;
}

export interface ProtectProps {
  /** One of these roles in the active organization is needed. A role does not include others: `['owner', 'admin']`. */
  readonly role: string | readonly string[];
  /** Shown to everybody else, also to people who are not signed in. Default: nothing. */
  readonly fallback?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
}

/**
 * Shows its children to users with a role in their active organization. While the session is loading, it shows nothing.
 * It only hides: everybody can read a page's code, so the server has to check the role (`requireUser({ roles })`).
 */
export function Protect({ role, fallback = null, children }: ProtectProps): ReactNode {
  const { status, organization } = useSvc().state;
  if (status === 'loading') return null;
  const roles = typeof role === 'string' ? [role] : role;
  return organization !== null && roles.includes(organization.role) ? children : fallback;
}

type ButtonProps = Omit<ComponentPropsWithoutRef<'button'>, 'onError'> & {
  /** Receives the error if the action fails. Default: it is written to the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type SignInButtonProps = ButtonProps & SignInOptions;
export type SignOutButtonProps = ButtonProps;

/** A button that does something with the session, unless its own onClick prevents it. */
const button = (
  { onClick, onError = console.error, children, ...rest }: ButtonProps,
  act: () => Promise<void>,
  label: string,
): ReactNode =>
  createElement(
    'button',
    {
      type: 'button',
      ...rest,
      onClick: (event) => {
        onClick?.(event);
        if (!event.defaultPrevented) act().catch(onError);
      },
    } satisfies ComponentPropsWithoutRef<'button'>,
    children ?? label,
  );

/** Leads to the hosted sign-in page, and back to the page that the user is on. */
export function SignInButton({ returnTo, email, ...rest }: SignInButtonProps): ReactNode {
  const { session } = useSvc();
  return button(rest, () => session.signIn({ returnTo, email }), 'Sign in');
}

/** As SignInButton: new people sign up on the same page. */
export function SignUpButton({ returnTo, email, ...rest }: SignInButtonProps): ReactNode {
  const { session } = useSvc();
  return button(rest, () => session.signIn({ returnTo, email }), 'Sign up');
}

/** Signs out in all tabs. */
export function SignOutButton(props: SignOutButtonProps): ReactNode {
  const { session } = useSvc();
  return button(props, session.signOut, 'Sign out');
}

export type AccountLinkProps = Omit<ComponentPropsWithoutRef<'a'>, 'href'>;

/** A link to the hosted account page: profile, addresses, passkeys, second factor, sessions, organizations. */
export function AccountLink({ children, ...rest }: AccountLinkProps): ReactNode {
  const { session } = useSvc();
  return createElement('a', { ...rest, href: session.accountUrl }, children ?? 'Account');
}
