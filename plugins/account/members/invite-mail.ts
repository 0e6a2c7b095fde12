import type { Context } from '#core/kernel/context.js';
import type { SystemMail, SystemTemplate, TransactionalMail } from '#plugins/email/ports.js';
import type { AccountRow } from '../tables/account.js';
import type { MemberRow } from '../tables/member.js';
import { invitationDays } from './invitation.js';

/** The mail that brings an invitation's link. Role names stay as they are: they are words of the product. */
export const inviteTemplate: SystemTemplate = {
  name: 'account.member.invite',
  variables: ['invitedBy', 'accountName', 'role', 'days'],
  locales: {
    en: {
      subject: '{{ invitedBy }} invited you to {{ accountName }}',
      heading: 'Join {{ accountName }}',
      body: 'Hello! {{ invitedBy }} would like you to join {{ accountName }}, in the role “{{ role }}”. The button below takes you there. The invitation expires in {{ days }} days.',
      button: 'Accept the invitation',
      footer: 'If you did not expect this, simply ignore this mail: nothing happens until you accept.',
    },
    de: {
      subject: '{{ invitedBy }} lädt Sie zu {{ accountName }} ein',
      heading: 'Willkommen bei {{ accountName }}',
      body: 'Guten Tag! {{ invitedBy }} möchte Sie bei {{ accountName }} dabeihaben, in der Rolle „{{ role }}“. Die Schaltfläche unten führt Sie hin. Die Einladung läuft in {{ days }} Tagen ab.',
      button: 'Einladung annehmen',
      footer:
        'Haben Sie das nicht erwartet? Dann ignorieren Sie diese Mail einfach: Ohne Ihre Zusage geschieht nichts.',
    },
    fr: {
      subject: '{{ invitedBy }} vous invite à rejoindre {{ accountName }}',
      heading: 'Rejoignez {{ accountName }}',
      body: 'Bonjour ! {{ invitedBy }} vous invite à rejoindre {{ accountName }}, avec le rôle « {{ role }} ». Le bouton ci-dessous vous y mène. L’invitation expire dans {{ days }} jours.',
      button: 'Accepter l’invitation',
      footer: 'Vous ne vous y attendiez pas ? Ignorez simplement cet e-mail : rien ne se passe sans votre accord.',
    },
    es: {
      subject: '{{ invitedBy }} te invita a {{ accountName }}',
      heading: 'Únete a {{ accountName }}',
      body: '¡Hola! {{ invitedBy }} te invita a unirte a {{ accountName }} con el rol «{{ role }}». El botón de abajo te lleva allí. La invitación caduca en {{ days }} días.',
      button: 'Aceptar la invitación',
      footer: '¿No esperabas este correo? Ignóralo sin más: no pasa nada mientras no aceptes.',
    },
    pt: {
      subject: '{{ invitedBy }} convidou você para {{ accountName }}',
      heading: 'Participe de {{ accountName }}',
      body: 'Olá! {{ invitedBy }} convidou você para participar de {{ accountName }}, com a função “{{ role }}”. O botão abaixo leva você até lá. O convite expira em {{ days }} dias.',
      button: 'Aceitar o convite',
      footer: 'Não esperava este e-mail? Basta ignorá-lo: nada acontece enquanto você não aceitar.',
    },
  },
};

/** Names end up in the subject, which is one line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** The invitation as it leaves: the token stands in the link alone. */
export const invitationMail = (given: {
  account: AccountRow;
  member: MemberRow;
  token: string;
  baseUrl: string;
  locale: string;
}): SystemMail => ({
  template: inviteTemplate,
  to: given.member.email,
  variables: {
    invitedBy: oneLine(given.member.invitedBy ?? given.account.name),
    accountName: oneLine(given.account.name),
    role: given.member.role,
    days: String(invitationDays),
  },
  url: `${given.baseUrl}/invite?token=${given.token}`,
  locale: given.locale,
});

/** Stands in for the mail port where the email product is off: nobody can be invited then. */
export const noMail = ({ fail }: Context): TransactionalMail => ({
  async queue() {
    throw fail.provider_not_configured({
      provider: 'email',
      mend: 'Add email to SVC_PRODUCTS, start the server again, then invite again.',
    });
  },
});
