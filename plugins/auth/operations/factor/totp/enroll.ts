import { newFields } from '#core/kernel/audit/changes.js';
import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { directory } from '#plugins/account/ports.js';
import { exampleFactor } from '../../../examples.js';
import { presentFactor } from '../../../factors/resources.js';
import { qrSvg } from '../../../factors/qr-code.js';
import { totpFactor } from '../../../factors/store.js';
import { newTotpSecret, otpauthUrl, totpSecretText } from '../../../factors/totp.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { factors } from '../../../tables/factor.js';
import { lockOwnUser } from '../../../users/find.js';

const name = 'auth.factor.totp.enroll';

export default defineOperation({
  name,
  summary: 'Creates a TOTP secret and returns it with an otpauth URL and a QR code (SVG).',
  description:
    'The factor has no effect until auth.factor.totp.activate receives its first code; an active factor stays active until then. If a factor is already active, requires a session that passed two-step sign-in. A user has one pending factor, and enrolling again discards it. Show `qrSvg` unchanged, dark on light, in dark themes too.',
  keywords: '2fa mfa two-step authenticator app qr google authenticator setup',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true, withoutRequiredFactor: true },
  limits: [perUser({ name, max: 10, windowSeconds: 3600, description: '10 per hour per user' })],
  showsSecret: 'stored encrypted',
  input: object({ accessToken, name: optional(filledText('A name for the factor, such as “Phone”.', 120)) }),
  output: object({
    factorId: uuid('For auth.factor.totp.activate.'),
    secret: text('The secret in base32, for apps that cannot scan.'),
    otpauthUrl: text(
      'The URL in the QR code. Its issuer is the project’s name (for members of accounts, that of the deployment), its label the user’s address.',
    ),
    qrSvg: text('The QR code as SVG.'),
  }),
  example: {
    input: { accessToken: exampleAccessToken, name: 'Phone' },
    output: {
      factorId: exampleFactor.id,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauthUrl:
        'otpauth://totp/Shop:ada%40example.com?issuer=Shop&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      qrSvg: '<svg role="img" aria-label="QR code to scan with an authenticator app">…</svg>',
    },
  },

  async prepare(_input, { caller, use }) {
    const issuer = await use(directory).nameForUsers(caller.environment);
    const secret = newTotpSecret();
    const address = otpauthUrl(secret, issuer, caller.user.label);
    return { secret, address, svg: await qrSvg(address) };
  },

  async handle({ name: factorName }, { db, caller, clock, vault, audit, prepared: { secret, address, svg } }) {
    const { userId, label } = caller.user;
    // Enrolments run one after the other, so that each discards the one before it.
    await lockOwnUser(db, caller);
    await db.remove(factors, { userId, status: 'pending' });
    const row = totpFactor(vault, {
      environmentId: caller.environment.id,
      userId,
      secret,
      name: factorName ?? null,
      now: clock.now(),
    });
    await db.insert(factors, row);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Enrolled a pending TOTP factor for ${label}.`,
      changes: newFields(presentFactor(row), ['name', 'status']),
    });
    return { factorId: row.id, secret: totpSecretText(secret), otpauthUrl: address, qrSvg: svg };
  },
});
