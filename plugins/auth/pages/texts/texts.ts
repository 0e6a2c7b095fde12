/** The texts of the hosted sign-in pages, in one language. {brand} is the project's own name, {email} is an address. */
export interface AuthTexts {
  /** Texts that several pages use. */
  common: {
    continue: string;
    cancel: string;
    back: string;
    signOut: string;
    signIn: string;
    address: string;
    addressOrNumber: string;
    number: string;
    /** How to write a number. */
    numberHint: string;
    password: string;
    code: string;
    or: string;
    account: string;
    remove: string;
    turnOff: string;
    /** Shown next to the signed-in user. */
    otherAccount: string;
    save: string;
    unknown: string;
    never: string;
  };
  signin: {
    title: string;
    heading: string;
    lead: string;
    leadClosed: string;
    /** Sign in again to continue with something that needs a recent sign-in. */
    leadAgain: string;
    sendCode: string;
    /** For forms that send a code by mail or text, depending on what was entered. */
    sendCodeAnywhere: string;
    sendLink: string;
    usePassword: string;
    usePasskey: string;
    useOther: string;
    /** {provider} */
    withProvider: string;
    none: string;
  };
  /** A later screen was opened, and no sign-in is in progress. */
  ended: { heading: string; lead: string; start: string };
  /** The app asked for a return address that is not allowed. {parameter}, {field} and {operation} are names. */
  returnAddress: { heading: string; developer: string; unusable: string; developerValues: string };
  code: {
    title: string;
    heading: string;
    sent: string;
    bounced: string;
    hint: string;
    resend: string;
    other: string;
    resent: string;
  };
  linkSent: { title: string; heading: string; sent: string; hint: string };
  passwordStep: { heading: string; forgot: string };
  passkeyStep: {
    title: string;
    heading: string;
    lead: string;
    use: string;
    unsupported: string;
    failed: string;
    noScript: string;
    /** If no other way to sign in exists. */
    failedOnly: string;
    noScriptOnly: string;
  };
  factor: {
    title: string;
    heading: string;
    lead: string;
    recoveryHeading: string;
    recoveryLead: string;
    recoveryCode: string;
    useRecovery: string;
    useApp: string;
    /** After a wrong code. */
    worksOnce: string;
  };
  link: { title: string; heading: string; as: string; lead: string; button: string };
  device: {
    title: string;
    heading: string;
    lead: string;
    userCode: string;
    confirmHeading: string;
    confirmLead: string;
    /** No device shows this code, or it no longer does. */
    unknownCode: string;
    from: string;
    scope: string;
    expires: string;
    approve: string;
    deny: string;
    approvedHeading: string;
    approvedText: string;
    deniedHeading: string;
    deniedText: string;
  };
  /** Apps that sign people in by OpenID Connect. */
  openid: {
    /** {app} */
    consentHeading: string;
    /** Above the list of `scopes`. */
    consentLead: string;
    scopes: Readonly<Record<'openid' | 'profile' | 'email' | 'phone' | 'groups' | 'offline_access', string>>;
    /** Above the app's host. */
    returnsTo: string;
    allow: string;
    deny: string;
    logoutHeading: string;
    logoutLead: string;
    stay: string;
    signedOut: string;
    signedOutText: string;
    /** The app's request is wrong or has expired. */
    failed: string;
    expired: string;
  };
  invite: {
    title: string;
    heading: string;
    lead: string;
    invitedBy: string;
    role: string;
    until: string;
    accept: string;
    signIn: string;
    acceptedHeading: string;
    /** Read by people who may not have accepted it. */
    acceptedText: string;
    /** Read by the person who accepted it. */
    memberHeading: string;
    memberText: string;
    revokedHeading: string;
    revokedText: string;
    expiredHeading: string;
    expiredText: string;
  };
  account: AccountTexts;
  /** Asks before something is removed, and states what. */
  confirm: ConfirmTexts;
  roles: Readonly<Record<'owner' | 'admin' | 'member', string>>;
  /**
   * By error code: what happened and what to do. Contains {wait} (with its unit), {attempts}, {count} and {brand} if
   * they are known.
   */
  errors: Readonly<Record<PageErrorCode, string>>;
  /** By the outcome of a form. */
  done: Readonly<Record<Outcome, string>>;
}

interface AccountTexts {
  title: string;
  signedInAs: string;
  profile: string;
  name: string;
  addresses: string;
  primary: string;
  unverified: string;
  makePrimary: string;
  addAddress: string;
  newAddress: string;
  addNumber: string;
  newNumber: string;
  verifyHeading: string;
  passwordSet: string;
  passwordNone: string;
  newPassword: string;
  currentPassword: string;
  /** The current password was entered wrongly. */
  wrongPassword: string;
  passwordHint: string;
  setPassword: string;
  changePassword: string;
  removePassword: string;
  keepOthers: string;
  passkeys: string;
  passkeysNone: string;
  addPasskey: string;
  passkeyName: string;
  /** The browser or the person stopped before a passkey was created. */
  passkeyFailed: string;
  passkeyOnDevice: string;
  passkeyUnsupported: string;
  passkeyNoScript: string;
  lastUsed: string;
  added: string;
  factor: string;
  factorNone: string;
  factorActive: string;
  addFactor: string;
  replaceFactor: string;
  scanHeading: string;
  scanLead: string;
  /** Replaces the displayed secret. */
  newSecret: string;
  secret: string;
  activate: string;
  /** The first code of a new app was wrong. */
  wrongFirstCode: string;
  recoveryLeft: string;
  newRecovery: string;
  recoveryHeading: string;
  recoveryLead: string;
  /** The page with the recovery codes was reloaded. */
  recoveryShown: string;
  downloadCodes: string;
  /** The first line of the file. */
  codesFile: string;
  copyCodes: string;
  codesCopied: string;
  codesNotCopied: string;
  sessions: string;
  thisSession: string;
  endSession: string;
  endOthers: string;
  /** Apps that the person signed in to with this account. */
  apps: string;
  /** Before a date. */
  appSince: string;
  disconnect: string;
  organizations: string;
  leave: string;
  deleteHeading: string;
  deleteLead: string;
  deleteConfirm: string;
  deleteButton: string;
  deletedHeading: string;
  deletedText: string;
}

interface ConfirmTexts {
  /** {name}: an address, a provider or a passkey. */
  removeHeading: string;
  address: string;
  passwordHeading: string;
  password: string;
  passkey: string;
  factorHeading: string;
  factor: string;
  recoveryHeading: string;
  recovery: string;
  /** {name}: browser and system. */
  sessionHeading: string;
  session: string;
  othersHeading: string;
  /** Before a list of sessions. */
  others: string;
  /** {name}: an app. */
  appHeading: string;
  app: string;
  leaveHeading: string;
  leave: string;
  /** {organization} and {brand}: the app, where members are managed. */
  leaveBlocked: string;
  deleteBlocked: string;
  /** An entry in the list of what is deleted. */
  deletesOrganization: string;
  /** {operation} is a name. */
  developer: string;
}

/** Error codes that the pages explain themselves. For others, they show the operation's own message. */
export const pageErrorCodes = [
  'wrong_code',
  'challenge_expired',
  'challenge_used',
  'challenge_locked',
  'rate_limited',
  'auth_send_limited',
  'invalid_credentials',
  'password_partly_checked',
  'method_disabled',
  'user_banned',
  'signup_closed',
  'signup_domain_blocked',
  'account_closed',
  'mfa_token_invalid',
  'passkey_rejected',
  'passkey_exists',
  'password_too_short',
  'password_too_long',
  'password_breached',
  'no_usable_signin_method',
  'identity_exists',
  'identity_taken',
  'identity_unverified',
  'confirmation_mismatch',
  'org_last_owner',
  'factor_required',
  'factor_not_active',
  'invite_expired',
  'invite_revoked',
  'invite_accepted',
  'invite_wrong_account',
  'state_mismatch',
  'provider_failed',
  'redirect_not_allowed',
  'invalid_input',
  'invalid_address',
  'invalid_number',
  'six_digits',
  'not_found',
  'link_unknown',
  'cookies_off',
  'reauth_required',
  'mfa_required',
  'limit_reached',
  'provider_not_configured',
  'unavailable',
  'failed',
] as const;
export type PageErrorCode = (typeof pageErrorCodes)[number];

export const outcomes = [
  'saved',
  'address_added',
  'address_removed',
  'primary_changed',
  'password_set',
  'password_removed',
  'passkey_added',
  'passkey_removed',
  'factor_activated',
  'factor_removed',
  'sessions_ended',
  'app_disconnected',
  'left',
  'joined',
] as const;
export type Outcome = (typeof outcomes)[number];
