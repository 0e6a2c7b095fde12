/**
 * Words that users of other services search for, by the page or section that answers them: what Resend, Clerk, Twilio,
 * Stripe, listmonk and their documents call it. They count like words of the title. A test checks that each address
 * exists, and the queries in test/surfaces/docs-site/queries.ts that they lead there.
 */
export const userWords: Readonly<Record<string, string>> = {
  '/docs/start':
    'quickstart quick start getting started tutorial hello world install setup self-host self-hosting onboarding',
  '/docs/start#a-first-mail-in-five-minutes': 'send email quickstart first email',
  '/docs/start#a-first-text-in-five-minutes': 'send sms quickstart first sms programmable messaging',
  '/docs/start#a-first-broadcast-in-fifteen-minutes': 'send newsletter campaign quickstart',
  '/docs/start#a-first-sign-in-in-five-minutes': 'authentication quickstart login sign up',
  '/docs/start#charging-for-usage': 'usage based pricing metered billing quickstart',
  '/docs/using':
    'contacts audience audiences subscribers lists mailing list contacts export download subscribers csv backend api server side',
  '/docs/using#contacts-and-consent':
    'subscribers audience audiences mailing lists subscriber attributes contact properties custom fields contacts export consent preferences',
  '/docs/using#subscribe-form-and-double-opt-in':
    'subscription form signup form embed confirm subscriber optin confirmation email public form',
  '/docs/using#webhooks': 'webhook endpoints event types webhook retries replay events',
  '/docs/using#webhooks-on-your-own-machine-svc-listen':
    'local webhook testing stripe listen ngrok tunnel forward cli localhost',
  '/docs/using#mcp': 'ai agents llm claude cursor model context protocol mcp server',
  '/docs/react':
    'react hooks useuser useauth usesession usesignin signedin signedout userbutton components provider sign in component spa vite',
  '/docs/react#what-there-is': 'react hooks useuser useauth usesession signedin signedout',
  '/docs/nextjs':
    'next.js app router edge runtime protect route middleware server components server actions clerkmiddleware getauth currentuser vercel',
  '/docs/nextjs#sign-users-in':
    'protect route middleware protected routes clerkmiddleware auth currentuser edge runtime',
  '/docs/frameworks':
    'node backend protect route middleware protected routes express middleware requireauth cloudflare workers edge runtime backend api',
  '/docs/frameworks#hono': 'cloudflare workers edge runtime deno bun',
  '/docs/console': 'dashboard admin ui panel',
  '/docs/console#support-and-developers': 'audit log audit logs activity logs request logs history',
  '/docs/console#team': 'team members invite teammates permissions',
  '/docs/domains':
    'domain verification verify domain dns records spf dkim dmarc txt cname sender authentication custom domain sending domain',
  '/docs/domains#the-records': 'dns records spf dkim dmarc txt cname mx',
  '/docs/domains#sending-rates': 'warm up warmup ip reputation throttle speed limit',
  '/docs/domains#testing-without-a-domain': 'onboarding resend.dev sandbox test domain',
  '/docs/templates':
    'email templates transactional email template variables merge tags placeholders personalization handlebars liquid react email mjml html dynamic data preview',
  '/docs/templates#texts':
    'transactional email template variables merge tags placeholders personalization substitutions',
  '/docs/templates#languages': 'localization translations i18n locale multilingual',
  '/docs/templates#the-look': 'branding logo theme design layout colors css',
  '/docs/templates#attachments-and-invitations': 'attachments attach file pdf inline image cid calendar ics',
  '/docs/templates#system-mail': 'customize sign in emails magic link email verification email otp email branding',
  '/docs/broadcasts':
    'newsletter campaigns campaign bulk email marketing email schedule campaign mass mailing send to list',
  '/docs/broadcasts#variables': 'merge tags personalization first name',
  '/docs/broadcasts#counts': 'campaign analytics statistics open rate report',
  '/docs/broadcasts#states': 'schedule campaign pause cancel resume broadcast status',
  '/docs/automations': 'drip campaign sequences workflows journeys welcome series triggers autoresponder',
  '/docs/delivery': 'deliverability bounce handling bounces complaints suppression list feedback loop',
  '/docs/delivery#bounces-and-complaints':
    'bounce handling hard bounce soft bounce spam complaints suppression list feedback loop blocklist',
  '/docs/delivery#callbacks-of-providers': 'ses sns postmark mailgun sendgrid webhook bounce webhooks',
  '/docs/delivery#test-addresses': 'test emails simulate bounce delivered@resend.dev sandbox simulator',
  '/docs/delivery#statistics': 'analytics metrics stats tags delivery rate insights',
  '/docs/inbound': 'inbound email receive email receiving parse inbound parse webhook reply forwarding mailbox',
  '/docs/inbound#what-is-stored': 'reply-to header threads in-reply-to attachments headers',
  '/docs/sign-in': 'authentication auth login sign up social login saml sso user management users passwordless',
  '/docs/sign-in#codes-and-links':
    'magic link email otp one time password passcode verification code passwordless phone number verification email verification verify api',
  '/docs/sign-in#providers':
    'social login oauth google github apple microsoft facebook sign in with google social connections enterprise sso saml oidc',
  '/docs/sign-in#the-second-step':
    'two factor authentication two-factor 2fa mfa multi-factor totp authenticator app backup codes recovery codes step-up',
  '/docs/sign-in#passkeys': 'webauthn biometrics fido2 security key passwordless',
  '/docs/sign-in#several-addresses':
    'primary email change email add email address phone number verification link account',
  '/docs/sign-in#passwords': 'password reset forgot password password policy password strength breached',
  '/docs/sign-in#sessions-and-tokens':
    'session token access token refresh token jwt session management sign out revoke session lifetime duration timeout expiry cookies',
  '/docs/sign-in#claims': 'jwt template custom claims session claims token claims',
  '/docs/sign-in#checking-offline': 'verify jwt verify token jwks public key backend networkless',
  '/docs/sign-in#impersonation': 'impersonate user act as actor token log in as support',
  '/docs/sign-in#users':
    'user management user metadata public metadata private metadata profile ban user lock user delete user create user list users avatar',
  '/docs/sign-in#organizations':
    'invite user to organization invitations teams multi-tenant tenants b2b workspaces members',
  '/docs/sign-in#roles': 'rbac permissions roles authorization admin member custom roles',
  '/docs/sign-in#protection': 'bot protection captcha brute force attack rate limiting lockout',
  '/docs/sign-in#limits': 'bot protection captcha brute force sms pumping fraud lockout',
  '/docs/sign-in#settings': 'allowlist blocklist restrict sign ups waitlist disable signups',
  '/docs/hosted-pages': 'account portal hosted login page sign in page universal login redirect url callback',
  '/docs/texts': 'sms programmable messaging mms whatsapp text message twilio telnyx sms gateway',
  '/docs/texts#requirements-for-sending': 'a2p 10dlc registration brand campaign toll-free verification compliance',
  '/docs/texts#numbers': 'buy phone number purchase number phone numbers short code toll-free alphanumeric sender id',
  '/docs/texts#callbacks': 'delivery status callback status callback delivery receipt dlr webhook',
  '/docs/texts#received-texts': 'receive sms inbound sms incoming messages reply two-way twiml',
  '/docs/texts#keywords': 'opt-out keywords stop help start unsubscribe sms',
  '/docs/texts#sign-in-by-text':
    'phone number verification verify phone otp sms verification code twilio verify one time password',
  '/docs/texts#segments': 'message segments sms length characters encoding gsm-7 ucs-2 unicode emoji concatenation',
  '/docs/texts#test-numbers': 'test credentials magic numbers sandbox test phone numbers',
  '/docs/billing':
    'payments subscriptions subscription plans pricing metered billing usage based pricing usage records stripe checkout',
  '/docs/billing#prices':
    'subscription plans price list tiers tiered pricing products sms pricing email pricing usage based pricing rates',
  '/docs/billing#what-is-metered': 'metered billing usage records usage meter events counting',
  '/docs/billing#the-spending-cap': 'spending limit budget usage limit alerts',
  '/docs/billing#invoices': 'invoice pdf receipt tax vat sales tax billing history credit note',
  '/docs/billing#credits': 'credits coupons discounts promo code balance free trial trial refund payment goodwill',
  '/docs/billing#payment':
    'payment method credit card failed payment dunning checkout retry past due customer portal sepa charge',
  '/docs/interface': 'rest api http api reference authentication api keys conventions backend api',
  '/docs/interface#calls': 'idempotency idempotent requests request format json',
  '/docs/interface#access':
    'api keys authentication authorization bearer token secret key publishable key permissions scopes restricted key',
  '/docs/interface#errors':
    'error codes error handling status codes error types exceptions 400 bad request 401 unauthorized 403 forbidden permission denied access denied 404 not found 409 conflict 422 validation error',
  '/docs/interface#limits': 'rate limits quotas 429 too many requests maximum size',
  '/docs/interface#versioning': 'api versioning versions breaking changes deprecation stability',
  '/docs/sdk':
    'node sdk typescript javascript npm client library mock tests unit testing batch emails retries timeouts pagination error handling',
  '/docs/python': 'python sdk pip client library mock tests unit testing',
  '/docs/go': 'golang go sdk client library module mock tests',
  '/docs/command-line': 'cli terminal command line tool login',
  '/docs/moving':
    'migrate migration import switch alternative resend mailgun sendgrid postmark mailchimp clerk auth0 twilio listmonk subscribers csv',
  '/docs/moving#contacts': 'import subscribers csv import contacts upload list bulk import',
  '/docs/moving#listmonk': 'listmonk migration import lists subscribers csv',
  '/docs/moving#calls': 'resend migration sendgrid postmark mailgun api mapping equivalent',
  '/docs/moving#users': 'import users migrate users password hashes bcrypt',
  '/docs/moving#from-clerk': 'clerk migration export users',
  '/docs/moving#texts-from-twilio': 'twilio migration messages.create equivalent',
  '/docs/operating': 'deployment hosting self-host production deploy administration',
  '/docs/operating#mail': 'smtp relay smtp server configure ses postfix outgoing mail provider',
  '/docs/operating#containers': 'docker compose kubernetes helm image container podman',
  '/docs/operating#upgrades': 'upgrade version update migrate database new release zero downtime',
  '/docs/operating#backups': 'backup restore mysqldump disaster recovery point in time',
  '/docs/operating#monitoring':
    'metrics prometheus grafana health check healthz logs observability opentelemetry tracing',
  '/docs/operating#proxies-and-tls': 'nginx caddy https ssl certificate reverse proxy load balancer',
  '/docs/operating#rate-limits-and-publishable-keys': 'rate limits throttling public key cors',
  '/docs/operating#changing-secrets': 'rotate secret key encryption key rotation root key',
  '/docs/operating#erasing-people': 'gdpr right to be forgotten delete user data privacy erase',
  '/docs/operating#what-is-kept-and-what-grows': 'data retention log retention cleanup storage disk usage',
  '/docs/security': 'threat model compliance soc2 encryption permissions audit',
  '/docs/settings': 'environment variables configuration config env file options settings',
  '/docs/reliability': 'sla guarantees exactly once at least once delivery durability',
  '/docs/questions#are-opens-and-clicks-tracked':
    'open tracking click tracking pixel link tracking open rate utm analytics',
  '/docs/questions#is-there-a-test-mode':
    'test mode sandbox test credentials test keys live mode development environment staging',
  '/docs/questions#how-do-i-refund-a-customer': 'refund payment refunds credit note chargeback dispute',
  '/docs/questions#how-do-people-unsubscribe':
    'unsubscribe link list-unsubscribe header one-click opt out preferences page',
  '/docs/questions#why-did-somebody-not-get-a-message':
    'email not delivered troubleshooting debugging spam folder missing message failed',
  '/docs/questions#how-do-i-rotate-a-key-or-secret': 'rotate api key roll key revoke key expire leaked',
  '/docs/questions#how-do-i-verify-a-webhooks-signature': 'webhook signing secret svix verify signature hmac',
  '/docs/reference/email#email.send':
    'schedule an email schedule email send later delay scheduled_at reply-to header cc bcc tags headers attachments send email batch',
  '/docs/reference/email#email.message.get': 'get message status email status track email delivery status',
  '/docs/reference/email#email.batch.send': 'batch emails bulk send multiple recipients at once',
  '/docs/reference/account#account.activity.list': 'audit log audit logs audit trail activity who changed',
  '/docs/reference/audience#audience.contact.list': 'contacts export list subscribers download contacts',
  '/docs/reference/audience#audience.segment.create': 'segments filter contacts query subscribers dynamic list',
  '/docs/reference/audience#audience.suppression.list': 'suppression list blocklist blacklist do not email',
  '/docs/reference/auth#auth.org.invite.create': 'invite user to organization invite member team invitation',
  '/docs/reference/auth#auth.user.ban': 'ban user block user disable user suspend lock',
  '/docs/reference/developers#developers.key.create': 'create api key generate api keys add token',
  '/docs/reference/developers#developers.key.list': 'list api keys all tokens',
  '/docs/reference/developers#developers.key.revoke': 'delete api key remove disable api keys token',
  '/docs/reference/sms#sms.message.get': 'get message status sms status fetch message',
  '/docs/reference/sms#sms.send': 'send sms send text message messages.create scheduled sms',
  '/docs/reference/events': 'webhook event types events list user.created email.delivered payload',
  '/docs/errors': 'error codes list error messages',
  '/docs/reference#about-webhook-signatures': 'webhook signature verification svix hmac secret',
};
