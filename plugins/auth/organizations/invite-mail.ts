import { shownName } from '#core/kernel/schema/plain-name.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { SystemMail } from '#plugins/email/ports.js';
import type { OrgInviteRow } from '../tables/org-invite.js';
import { invitationDays } from './invitation.js';

/** The mail with an invitation's link. Role names are not translated, because an app shows its own words for them. */
export const inviteTemplate: EmailSystemTemplate = {
  name: 'auth.org.invite',
  channel: 'email',
  description: 'The invitation to an organization, with the link to accept it.',
  budget: 'invitation',
  variables: ['organizationName', 'invitedBy', 'role', 'days', 'url'],
  requiredVariables: ['url'],
  locales: {
    en: {
      subject: '{{ invitedBy }} invited you to {{ organizationName }}',
      heading: 'Join {{ organizationName }}',
      body: '{{ invitedBy }} has invited you to join {{ organizationName }}. Use the button below to accept. The invitation expires in {{ days }} days.',
      button: 'Accept the invitation',
      footer: 'If you weren’t expecting this invitation, you can ignore this email. Nothing happens until you accept.',
    },
    de: {
      subject: '{{ invitedBy }} hat Sie zu {{ organizationName }} eingeladen',
      heading: '{{ organizationName }} beitreten',
      body: '{{ invitedBy }} hat Sie eingeladen, {{ organizationName }} beizutreten. Über die Schaltfläche unten nehmen Sie die Einladung an. Sie läuft in {{ days }} Tagen ab.',
      button: 'Einladung annehmen',
      footer:
        'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren. Es geschieht nichts, solange Sie die Einladung nicht annehmen.',
    },
    fr: {
      subject: '{{ invitedBy }} vous invite à rejoindre {{ organizationName }}',
      heading: 'Rejoignez {{ organizationName }}',
      body: '{{ invitedBy }} vous invite à rejoindre {{ organizationName }}. Utilisez le bouton ci-dessous pour accepter. L’invitation expire dans {{ days }} jours.',
      button: 'Accepter l’invitation',
      footer:
        'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail. Rien ne se passera tant que vous ne l’aurez pas acceptée.',
    },
    es: {
      subject: '{{ invitedBy }} le ha invitado a {{ organizationName }}',
      heading: 'Únase a {{ organizationName }}',
      body: '{{ invitedBy }} le ha invitado a unirse a {{ organizationName }}. Use el botón de abajo para aceptar. La invitación caduca en {{ days }} días.',
      button: 'Aceptar la invitación',
      footer: 'Si no esperaba esta invitación, puede ignorar este correo. No ocurre nada mientras no la acepte.',
    },
    pt: {
      subject: '{{ invitedBy }} enviou-lhe um convite para {{ organizationName }}',
      heading: 'Junte-se a {{ organizationName }}',
      body: '{{ invitedBy }} enviou-lhe um convite para se juntar a {{ organizationName }}. Use o botão abaixo para aceitar. O convite expira dentro de {{ days }} dias.',
      button: 'Aceitar o convite',
      footer: 'Se não esperava este convite, pode ignorar este e-mail. Nada acontece enquanto não aceitar o convite.',
    },
  },
};

/**
 * An invitation's mail. The token appears only in the link.
 * @param known the user who has the address, if there is one
 */
export const invitationMail = (given: {
  invite: OrgInviteRow;
  organizationName: string;
  invitedBy: string;
  token: string;
  /** The address of the environment's hosted pages, with a trailing slash. */
  pages: string;
  known: { id: string; locale: string | null } | null;
}): SystemMail => ({
  template: inviteTemplate,
  to: given.invite.email,
  variables: {
    organizationName: shownName(given.organizationName),
    invitedBy: shownName(given.invitedBy),
    role: given.invite.role,
    days: String(invitationDays),
  },
  url: `${given.pages}invite?token=${given.token}`,
  ...(given.known ? { personId: given.known.id } : {}),
  ...(given.known?.locale ? { locale: given.known.locale } : {}),
});
