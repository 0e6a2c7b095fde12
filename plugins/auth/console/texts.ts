/* The texts of the screens of users that are longer than a label. */

export const texts = {
  sub: 'Everyone who can sign in to your product in this environment.',
  emptyTitle: 'No users yet.',
  empty: 'A user appears when somebody signs in for the first time, or when you create or import one.',
  ban: 'They cannot sign in, and all their sessions end at once. The reason is kept in the audit log; they do not see it.',
  unban: 'They can sign in again. Sessions that ended stay ended.',
  impersonate:
    'You get a session as this user, for 30 minutes at most, to see what they see. It reads only, and cannot change how they sign in.',
  impersonateRecords:
    'Recorded for everyone to see: your name, the reason, and the session. The user sees the session among theirs, marked as impersonated.',
  impersonated: 'This access token is shown once. Your product accepts it as the user’s, marked with `act`.',
  revokeAll:
    'They are signed out everywhere. Access tokens that were issued work until they expire, in 15 minutes at most by default.',
  revokeOne: 'They are signed out on this device. An access token that was issued works until it expires.',
  erase: 'Sessions end and personal data is erased; audit and consent records are kept. This cannot be undone.',
  noFactors: 'No second factor.',
  lostFactor:
    'Somebody who lost their second factor signs in with a recovery code. Nobody else can remove the factor of a user.',
  noSessions: 'They are not signed in anywhere.',
  noPerson: 'There is no contact with this address.',
} as const;
