/* The texts of the screens of users that are longer than a label. */

export const texts = {
  sub: 'Everyone who can sign in to your product in this environment.',
  emptyTitle: 'No users yet.',
  empty: 'A user appears when somebody signs in for the first time, or when you create or import one.',
  ban: 'They cannot sign in, and all their sessions end immediately. The reason is kept in the audit log; they do not see it.',
  unban: 'They can sign in again. Sessions that ended stay ended.',
  impersonate:
    'You get a session as this user, for 30 minutes at most, to see what they see. It is read-only and cannot change how they sign in.',
  impersonateRecords:
    'Recorded for everyone to see: your name, the reason, and the session. The user sees it in their list of sessions, marked as impersonated.',
  impersonateWhere:
    'Your app opens with the session at this address, as after a sign-in. Without an address you get an access token.',
  impersonateNowhere:
    'You get an access token, because no address of your app is known. Add one to the settings to open your app instead.',
  impersonatedOpen: 'The link opens your app as this user, in a new tab. It works once, within two minutes.',
  liftLimits:
    'They can try again immediately. It covers the IP addresses they have signed in from. If they are somewhere new, ask them for their IP address and add it.',
  failedSignIns: 'Wrong codes are not listed: before a right one, nobody knows whose sign-in it is.',
  impersonated:
    'This access token is shown once. Send it to your product’s API in the header Authorization: Bearer …; your product accepts it as the user’s, marked with `act`.',
  impersonatedEnd: 'You can end it earlier on the page of the user.',
  impersonatedReadsOnly: 'The session is read-only. The reason is in the history.',
  revokeAll:
    'They are signed out everywhere. Access tokens already issued work until they expire, by default within 15 minutes.',
  revokeOne: 'They are signed out on this device. Access tokens already issued work until they expire.',
  erase: 'Sessions end and personal data is erased; audit and consent records are kept. This cannot be undone.',
  noFactors: 'No second factor.',
  lostFactor:
    'Somebody who lost their second factor signs in with a recovery code. Nobody else can remove the factor of a user.',
  noSessions: 'They are not signed in anywhere.',
  noPerson: 'There is no contact with this address.',
} as const;

/** The texts of the sign-in settings. */
export const settingsTexts = {
  sub: 'How people sign in to your product in this environment. Changes take effect on the next request.',
  methods: 'At least one method that is available here must stay on. Turn on only what your sign-in form offers.',
  code: 'A six-digit code that works for a few minutes.',
  link: 'A link that signs in the browser that opens it.',
  passwordMethod: 'An address and a password.',
  passkey: 'The fingerprint, face or PIN of a device.',
  sms: 'Each code costs as much as a text message. You need a number to send from.',
  provider: 'If it is off, the sign-in page does not offer it. Its client id and secret are kept.',
  unknownProvider: 'A provider that is not configured here.',
  providerOff: 'Turned off under Methods.',
  methodOff:
    'People who have no other method cannot sign in until they get one. Existing sessions continue. svc does not count how many people use a method.',
  mfa: 'Every session then needs an authenticator app or a recovery code.',
  mfaRequired:
    'From the next request on, anyone whose session hasn’t passed a second factor can only set one up. People who have no factor yet are asked to set one up when they sign in.',
  password: 'The rules apply to new passwords. Existing ones keep working.',
  signup: 'People who already have an account are not affected.',
  sessions:
    'In seconds. A shorter access token ends revoked sessions sooner at servers that check tokens offline; a session that is not refreshed for as long as the second value ends.',
  limits:
    'How often sign-ins are started and completed, and how many users an IP address can create. Further attempts are refused for a while.',
  claims:
    'What access tokens say about a user: the name of a claim, and the key of the user’s metadata that has its value.',
  rpId: 'Passkeys are bound to the old domain. Existing ones stop working: people who have one need another method to sign in and add a new one.',
  redirects: 'A sign-in returns only to these addresses.',
  noRedirects:
    'No sign-in can return to your app yet. Add the address of your app; people return there after signing in on the hosted page.',
  redirectForms:
    'An https origin, a full URL, or an app’s URL such as com.example.app:/callback. On your own machine, http://localhost:3000 works too.',
  removeRedirect: 'Sign-ins that return there are refused from now on, including those already started.',
  noProviders:
    'People sign in with Google, GitHub, Microsoft, Apple, GitLab, LinkedIn or any OpenID Connect issuer once you add it here with the client id that it gave you.',
  removeProvider:
    'People who sign in only with it cannot sign in any more. Their linked accounts are kept: they work again if you add the provider again.',
  jwks: 'Servers that check access tokens offline read the public keys at',
  noKeys: 'The first key is created when the first access token is issued.',
  rotate:
    'The new key is published immediately and starts signing tokens after five minutes, when every server has read it. Nobody is signed out: tokens of the old key work until they expire.',
  rotateAfter: 'If the old key may have leaked, retire it afterwards.',
  retire:
    'Access tokens that it signed are refused immediately; servers that check offline may accept them for five more minutes. Sessions continue: their next refresh gets a token of the new key.',
} as const;

/** The texts of the screens of organizations. */
export const organizationTexts = {
  sub: 'The teams that your users form in your product.',
  emptyTitle: 'No organizations yet.',
  empty: 'Users create organizations in your product, with their own session, and invite others to them.',
  noMembers: 'There is no organization with this id, or it has no members.',
  managing:
    'Its own owners and admins change roles, invite and remove people, and require a second factor, in your product or on the hosted account page. The forms below show the calls; they need the access token of an owner or admin, and an impersonated session may not make changes.',
} as const;

/** The texts of the screens of apps. */
export const appTexts = {
  sub: 'Your users sign in to these with their account in this environment. Any app that speaks OpenID Connect can be connected, without code.',
  emptyTitle: 'No apps yet.',
  empty:
    'Connect Grafana, Nextcloud, Gitea, WordPress or your own app, and your users sign in there as they do with you.',
  name: 'Users see it when they sign in, and on their account page.',
  redirectUrls: 'Where sign-ins return to, one per line. They must match exactly.',
  logoutUrls: 'Where a sign-out that the app started may return to, one per line.',
  kind: 'Without a secret, PKCE alone protects the sign-in. If you change this, the secret stops working.',
  firstParty: 'If it is not, users are asked whether the app may know them.',
  organizations: 'If none is chosen, everyone may sign in. Whoever loses the role loses access immediately.',
  moreOrganizations: 'These are the newest 100 organizations. Others are chosen with auth.settings.set.',
  clientId: 'What the app calls itself: a-z, 0-9, dots and hyphens. It cannot be changed later.',
  taken: 'Another app has this client ID.',
  secretOnce: 'Copy it into the settings of the app. It is shown only now: svc stores only its digest.',
  overlap: 'The old one works for another 24 hours.',
  secret: 'The client secret was shown when it was made. If it is lost, rotate it.',
  noSecret: 'The app has no secret. It uses PKCE.',
  rotate: 'You see the new secret once. The old one works for another 24 hours, so that you can change the app.',
  remove:
    'Its sign-ins, refresh tokens and access tokens end immediately, and its secret stops working. They stay invalid if you add an app with the same client ID. Sessions of your users continue.',
  gone: 'The environment has no app with this client ID.',
} as const;
