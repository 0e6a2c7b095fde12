'use client';
/*
 * `svc-sdk/react`: signs users in on the hosted pages, and keeps them signed in, in all tabs of a browser. Needs React
 * 18 or newer.
 */
export {
  SvcProvider,
  useOrganization,
  useSession,
  useUser,
  type OrganizationHook,
  type SessionHook,
  type SvcProviderProps,
  type UserHook,
} from './provider.js';
export {
  AccountLink,
  Protect,
  SignedIn,
  SignedOut,
  SignInButton,
  SignOutButton,
  SignUpButton,
  type AccountLinkProps,
  type ProtectProps,
  type SignInButtonProps,
  type SignOutButtonProps,
} from './components.js';
export type {
  ActiveOrganization,
  BrowserSessionOptions,
  SessionState,
  SignInOptions,
  TokenOptions,
} from './browser-session.js';
export type { Organization, OrganizationMembership, User } from '../operations.gen.js';
export { SignInNotStartedHere } from '../sign-in.js';
export { isSvcError, SvcError } from '../errors.js';
