import type { Context } from '#core/kernel/context.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import type { SystemMail, TransactionalMail } from '#plugins/email/ports.js';
import { inviteTexts } from './invite-texts/translations.js';
import type { AccountRow } from '../tables/account.js';
import type { MemberRow } from '../tables/member.js';
import { invitationDays } from './invitation.js';

/** “with this person” if a person sent the invitation, “without” if a key of the account did. */
const byInviter = (withPerson: string, without: string): string =>
  `{% if invitedBy == "" %}${without}{% else %}${withPerson}{% endif %}`;

/** The mail with an invitation's link. The role has the same name as on the page behind the link. */
export const inviteTemplate: EmailSystemTemplate = {
  name: 'account.member.invite',
  channel: 'email',
  description: 'The invitation to an account, with the link to accept it.',
  budget: 'invitation',
  variables: ['invitedBy', 'accountName', 'role', 'days', 'url'],
  requiredVariables: ['url'],
  locales: {
    en: {
      subject: byInviter('{{ invitedBy }} invited you to {{ accountName }}', 'You’re invited to {{ accountName }}'),
      heading: 'Join {{ accountName }}',
      body: `${byInviter('{{ invitedBy }} has invited you', 'You’re invited')} to join {{ accountName }} with the role “{{ role }}”. Use the button below to accept. The invitation expires in {{ days }} days.`,
      button: 'Accept the invitation',
      footer: 'If you weren’t expecting this invitation, you can ignore this email. Nothing happens until you accept.',
    },
    de: {
      subject: byInviter(
        '{{ invitedBy }} hat Sie zu {{ accountName }} eingeladen',
        'Sie sind zu {{ accountName }} eingeladen',
      ),
      heading: '{{ accountName }} beitreten',
      body: `${byInviter('{{ invitedBy }} hat Sie eingeladen', 'Sie sind eingeladen')}, {{ accountName }} mit der Rolle „{{ role }}“ beizutreten. Über die Schaltfläche unten nehmen Sie die Einladung an. Sie läuft in {{ days }} Tagen ab.`,
      button: 'Einladung annehmen',
      footer:
        'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren. Es geschieht nichts, solange Sie die Einladung nicht annehmen.',
    },
    fr: {
      subject: byInviter(
        '{{ invitedBy }} vous invite à rejoindre {{ accountName }}',
        'Invitation à rejoindre {{ accountName }}',
      ),
      heading: 'Rejoignez {{ accountName }}',
      body: `${byInviter('{{ invitedBy }} vous invite', 'Vous avez reçu une invitation')} à rejoindre {{ accountName }} avec le rôle «\u00a0{{ role }}\u00a0». Utilisez le bouton ci-dessous pour accepter. L’invitation expire dans {{ days }} jours.`,
      button: 'Accepter l’invitation',
      footer:
        'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail. Rien ne se passera tant que vous ne l’aurez pas acceptée.',
    },
    es: {
      subject: byInviter('{{ invitedBy }} le ha invitado a {{ accountName }}', 'Le han invitado a {{ accountName }}'),
      heading: 'Únase a {{ accountName }}',
      body: `${byInviter('{{ invitedBy }} le ha invitado', 'Le han invitado')} a unirse a {{ accountName }} con la función «{{ role }}». Use el botón de abajo para aceptar. La invitación caduca en {{ days }} días.`,
      button: 'Aceptar la invitación',
      footer: 'Si no esperaba esta invitación, puede ignorar este correo. No ocurre nada mientras no la acepte.',
    },
    pt: {
      subject: byInviter(
        '{{ invitedBy }} enviou-lhe um convite para {{ accountName }}',
        'Recebeu um convite para {{ accountName }}',
      ),
      heading: 'Junte-se a {{ accountName }}',
      body: `${byInviter('{{ invitedBy }} enviou-lhe um convite', 'Recebeu um convite')} para se juntar a {{ accountName }} com a função «{{ role }}». Use o botão abaixo para aceitar. O convite expira dentro de {{ days }} dias.`,
      button: 'Aceitar o convite',
      footer: 'Se não esperava este convite, pode ignorar este e-mail. Nada acontece enquanto não aceitar o convite.',
    },
  },
};

/** An invitation's mail. The token appears only in the link. */
export const invitationMail = (given: {
  account: AccountRow;
  member: MemberRow;
  token: string;
  baseUrl: string;
  locale: string;
}): SystemMail => ({
  template: inviteTemplate,
  to: given.member.email,
  variables: (formatTag) => ({
    invitedBy: shownName(given.member.invitedBy ?? ''),
    accountName: shownName(given.account.name),
    role: textsFor(inviteTexts, [formatTag]).texts.roles[given.member.role].name,
    days: String(invitationDays),
  }),
  url: `${given.baseUrl}/invite?token=${given.token}`,
  toInvited: true,
  locale: given.locale,
});

/**
 * Replaces the mail port if the email product is off: inviting is refused, and notices appear only in the audit record.
 */
export const noMail = ({ fail }: Context): TransactionalMail => ({
  async queue(_, { template }) {
    if (template.budget === 'notice') return { messageId: '', hasBounced: false };
    throw fail.provider_not_configured({
      owner: 'This deployment',
      provider: 'email',
      nextStep: 'Add email to SVC_PRODUCTS, restart the server, then invite again.',
    });
  },
});
