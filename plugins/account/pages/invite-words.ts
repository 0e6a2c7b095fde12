import type { Role } from '#core/kernel/caller/caller.js';
import type { Catalogue } from '#core/surfaces/pages/words.js';

/** What can be wrong with an invitation, as the person who holds it is told. */
export type Trouble = 'unknown' | 'expired' | 'revoked' | 'accepted' | 'limited' | 'failed';

interface Words {
  title: string;
  heading: string;
  lead: string;
  leadWithoutPerson: string;
  address: string;
  role: string;
  until: string;
  roles: Readonly<Record<Role, { name: string; may: string }>>;
  next: { heading: string; signIn: string; ask: string };
  troubles: Readonly<Record<Trouble, { heading: string; said: string; next: string }>>;
}

const en: Words = {
  title: 'Invitation to {account}',
  heading: 'You are invited to {account}',
  lead: '{person} invites you to become a member of this account.',
  leadWithoutPerson: 'You are invited to become a member of this account.',
  address: 'Invited address',
  role: 'Your role',
  until: 'Valid until',
  roles: {
    owner: { name: 'Owner', may: 'You may do everything, including what only owners may: closing the account, for example.' },
    admin: { name: 'Admin', may: 'You may do everything, except what is kept for owners.' },
    developer: { name: 'Developer', may: 'You may see everything, and change sign-in, email, SMS, audiences, keys and webhooks.' },
    viewer: { name: 'Viewer', may: 'You may see everything and change nothing.' },
  },
  next: {
    heading: 'How to go on',
    signIn: 'Sign in to the dashboard with {email} to accept the invitation.',
    ask: 'Signing in to the dashboard is not part of this deployment yet, so the invitation cannot be accepted here. Please ask the person who invited you how to go on.',
  },
  troubles: {
    unknown: {
      heading: 'We do not know this invitation',
      said: 'The link is incomplete, or there never was such an invitation.',
      next: 'Open the link in the mail once more, and see that it is whole. If that does not help, ask the person who invited you for a new one.',
    },
    expired: {
      heading: 'This invitation has expired',
      said: 'Invitations are valid for a limited time, and this one’s is over.',
      next: 'Ask the person who invited you to invite you again: you will get a new link.',
    },
    revoked: {
      heading: 'This invitation was withdrawn',
      said: 'Its link no longer leads anywhere.',
      next: 'If you think that this is a mistake, ask an owner or admin of the account to invite you again.',
    },
    accepted: {
      heading: 'This invitation was already accepted',
      said: 'An invitation can be accepted once.',
      next: 'Sign in with the invited address to open the account.',
    },
    limited: {
      heading: 'Too many attempts',
      said: 'Many invitations were opened from your network within a short time.',
      next: 'Wait ten minutes, then open the link again.',
    },
    failed: {
      heading: 'This page cannot be shown right now',
      said: 'Something went wrong on our side. Your invitation is not affected.',
      next: 'Try again in a few minutes. If it happens again, give this number to the people who run this service: {requestId}',
    },
  },
};

const de: Words = {
  title: 'Einladung zu {account}',
  heading: 'Sie sind zu {account} eingeladen',
  lead: '{person} lädt Sie ein, Mitglied dieses Kontos zu werden.',
  leadWithoutPerson: 'Sie sind eingeladen, Mitglied dieses Kontos zu werden.',
  address: 'Eingeladene Adresse',
  role: 'Ihre Rolle',
  until: 'Gültig bis',
  roles: {
    owner: { name: 'Inhaber', may: 'Sie dürfen alles, auch was Inhabern vorbehalten ist, etwa das Konto schließen.' },
    admin: { name: 'Administrator', may: 'Sie dürfen alles, außer was Inhabern vorbehalten ist.' },
    developer: { name: 'Entwickler', may: 'Sie dürfen alles sehen und Anmeldung, E-Mail, SMS, Zielgruppen, Schlüssel und Webhooks ändern.' },
    viewer: { name: 'Betrachter', may: 'Sie dürfen alles sehen und nichts ändern.' },
  },
  next: {
    heading: 'Wie es weitergeht',
    signIn: 'Melden Sie sich mit {email} im Dashboard an, um die Einladung anzunehmen.',
    ask: 'Die Anmeldung im Dashboard gehört noch nicht zu dieser Installation, deshalb lässt sich die Einladung hier nicht annehmen. Bitte fragen Sie die Person, die Sie eingeladen hat, wie es weitergeht.',
  },
  troubles: {
    unknown: {
      heading: 'Wir kennen diese Einladung nicht',
      said: 'Der Link ist unvollständig, oder es gab diese Einladung nie.',
      next: 'Öffnen Sie den Link in der E-Mail noch einmal und achten Sie darauf, dass er vollständig ist. Hilft das nicht, bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
    },
    expired: {
      heading: 'Diese Einladung ist abgelaufen',
      said: 'Einladungen gelten begrenzte Zeit, und diese ist vorüber.',
      next: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung: Sie erhalten dann einen neuen Link.',
    },
    revoked: {
      heading: 'Diese Einladung wurde zurückgezogen',
      said: 'Ihr Link führt nirgendwo mehr hin.',
      next: 'Wenn Sie das für ein Versehen halten, bitten Sie einen Inhaber oder Administrator des Kontos um eine neue Einladung.',
    },
    accepted: {
      heading: 'Diese Einladung wurde schon angenommen',
      said: 'Eine Einladung kann einmal angenommen werden.',
      next: 'Melden Sie sich mit der eingeladenen Adresse an, um das Konto zu öffnen.',
    },
    limited: {
      heading: 'Zu viele Versuche',
      said: 'Aus Ihrem Netz wurden in kurzer Zeit viele Einladungen geöffnet.',
      next: 'Warten Sie zehn Minuten und öffnen Sie den Link dann noch einmal.',
    },
    failed: {
      heading: 'Diese Seite lässt sich gerade nicht zeigen',
      said: 'Bei uns ist etwas schiefgegangen. Ihre Einladung ist davon nicht betroffen.',
      next: 'Versuchen Sie es in ein paar Minuten noch einmal. Geschieht es wieder, nennen Sie den Betreibern diese Nummer: {requestId}',
    },
  },
};

const fr: Words = {
  title: 'Invitation à rejoindre {account}',
  heading: 'Une invitation à rejoindre {account}',
  lead: '{person} vous invite à devenir membre de ce compte.',
  leadWithoutPerson: 'Vous pouvez devenir membre de ce compte.',
  address: 'Adresse invitée',
  role: 'Votre rôle',
  until: 'Valable jusqu’au',
  roles: {
    owner: { name: 'Propriétaire', may: 'Vous pouvez tout faire, y compris ce qui est réservé aux propriétaires, comme fermer le compte.' },
    admin: { name: 'Administrateur', may: 'Vous pouvez tout faire, sauf ce qui est réservé aux propriétaires.' },
    developer: { name: 'Développeur', may: 'Vous pouvez tout voir, et modifier la connexion, les e-mails, les SMS, les audiences, les clés et les webhooks.' },
    viewer: { name: 'Lecteur', may: 'Vous pouvez tout voir, sans rien modifier.' },
  },
  next: {
    heading: 'Comment continuer',
    signIn: 'Connectez-vous au tableau de bord avec {email} pour accepter l’invitation.',
    ask: 'La connexion au tableau de bord ne fait pas encore partie de cette installation : l’invitation ne peut donc pas être acceptée ici. Demandez comment continuer à la personne qui vous a envoyé l’invitation.',
  },
  troubles: {
    unknown: {
      heading: 'Nous ne connaissons pas cette invitation',
      said: 'Le lien est incomplet, ou cette invitation n’a jamais existé.',
      next: 'Ouvrez de nouveau le lien de l’e-mail en vérifiant qu’il est entier. Si cela ne suffit pas, demandez-en un autre à la personne qui vous l’a envoyé.',
    },
    expired: {
      heading: 'Cette invitation a expiré',
      said: 'Une invitation n’est valable qu’un certain temps, et celui-ci est écoulé.',
      next: 'Demandez-en une autre à la personne qui vous l’a envoyée : vous recevrez un nouveau lien.',
    },
    revoked: {
      heading: 'Cette invitation a été retirée',
      said: 'Son lien ne mène plus nulle part.',
      next: 'Si vous pensez à une erreur, demandez une nouvelle invitation à un propriétaire ou à un administrateur du compte.',
    },
    accepted: {
      heading: 'Cette invitation a déjà été acceptée',
      said: 'Une invitation ne peut être acceptée qu’une fois.',
      next: 'Connectez-vous avec l’adresse invitée pour ouvrir le compte.',
    },
    limited: {
      heading: 'Trop de tentatives',
      said: 'De nombreuses invitations ont été ouvertes depuis votre réseau en peu de temps.',
      next: 'Attendez dix minutes, puis ouvrez de nouveau le lien.',
    },
    failed: {
      heading: 'Cette page ne peut pas être affichée pour le moment',
      said: 'Une erreur s’est produite de notre côté. Votre invitation n’est pas touchée.',
      next: 'Réessayez dans quelques minutes. Si cela se reproduit, donnez ce numéro aux responsables du service : {requestId}',
    },
  },
};

const es: Words = {
  title: 'Invitación a {account}',
  heading: 'Tiene una invitación a {account}',
  lead: '{person} le invita a ser miembro de esta cuenta.',
  leadWithoutPerson: 'Le invitan a ser miembro de esta cuenta.',
  address: 'Dirección invitada',
  role: 'Su función',
  until: 'Válida hasta',
  roles: {
    owner: { name: 'Propietario', may: 'Puede hacerlo todo, incluso lo reservado a los propietarios, como cerrar la cuenta.' },
    admin: { name: 'Administrador', may: 'Puede hacerlo todo, salvo lo reservado a los propietarios.' },
    developer: { name: 'Desarrollador', may: 'Puede verlo todo y modificar el acceso, el correo, los SMS, las audiencias, las claves y los webhooks.' },
    viewer: { name: 'Observador', may: 'Puede verlo todo, sin modificar nada.' },
  },
  next: {
    heading: 'Cómo continuar',
    signIn: 'Inicie sesión en el panel con {email} para aceptar la invitación.',
    ask: 'El inicio de sesión en el panel aún no forma parte de esta instalación, por lo que la invitación no se puede aceptar aquí. Pregunte a la persona que le invitó cómo continuar.',
  },
  troubles: {
    unknown: {
      heading: 'No conocemos esta invitación',
      said: 'El enlace está incompleto, o esta invitación nunca existió.',
      next: 'Abra de nuevo el enlace del correo y compruebe que está completo. Si no basta, pida otro a la persona que le invitó.',
    },
    expired: {
      heading: 'Esta invitación ha caducado',
      said: 'Las invitaciones valen por un tiempo limitado, y el de esta ha terminado.',
      next: 'Pida a la persona que le invitó que lo haga de nuevo: recibirá otro enlace.',
    },
    revoked: {
      heading: 'Esta invitación se ha retirado',
      said: 'Su enlace ya no lleva a ninguna parte.',
      next: 'Si cree que es un error, pida una nueva invitación a un propietario o administrador de la cuenta.',
    },
    accepted: {
      heading: 'Esta invitación ya se ha aceptado',
      said: 'Una invitación solo puede aceptarse una vez.',
      next: 'Inicie sesión con la dirección invitada para abrir la cuenta.',
    },
    limited: {
      heading: 'Demasiados intentos',
      said: 'Desde su red se han abierto muchas invitaciones en poco tiempo.',
      next: 'Espere diez minutos y abra de nuevo el enlace.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      said: 'Algo ha fallado por nuestra parte. Su invitación no se ve afectada.',
      next: 'Inténtelo de nuevo en unos minutos. Si vuelve a ocurrir, dé este número a quienes administran el servicio: {requestId}',
    },
  },
};

const pt: Words = {
  title: 'Convite para {account}',
  heading: 'Você tem um convite para {account}',
  lead: '{person} convida você a ser membro desta conta.',
  leadWithoutPerson: 'Você tem um convite para ser membro desta conta.',
  address: 'Endereço convidado',
  role: 'Sua função',
  until: 'Válido até',
  roles: {
    owner: { name: 'Proprietário', may: 'Você pode fazer tudo, inclusive o que é reservado aos proprietários, como encerrar a conta.' },
    admin: { name: 'Administrador', may: 'Você pode fazer tudo, exceto o que é reservado aos proprietários.' },
    developer: { name: 'Desenvolvedor', may: 'Você pode ver tudo e alterar o acesso, o e-mail, o SMS, os públicos, as chaves e os webhooks.' },
    viewer: { name: 'Observador', may: 'Você pode ver tudo, sem alterar nada.' },
  },
  next: {
    heading: 'Como continuar',
    signIn: 'Entre no painel com {email} para aceitar o convite.',
    ask: 'Entrar no painel ainda não faz parte desta instalação, por isso o convite não pode ser aceito aqui. Pergunte a quem convidou você como continuar.',
  },
  troubles: {
    unknown: {
      heading: 'Não conhecemos este convite',
      said: 'O link está incompleto, ou este convite nunca existiu.',
      next: 'Abra de novo o link do e-mail e verifique se está inteiro. Se não bastar, peça outro a quem convidou você.',
    },
    expired: {
      heading: 'Este convite expirou',
      said: 'Convites valem por tempo limitado, e o deste acabou.',
      next: 'Peça a quem convidou você que o faça de novo: você receberá outro link.',
    },
    revoked: {
      heading: 'Este convite foi retirado',
      said: 'O link dele já não leva a lugar nenhum.',
      next: 'Se achar que é um engano, peça um novo convite a um proprietário ou administrador da conta.',
    },
    accepted: {
      heading: 'Este convite já foi aceito',
      said: 'Um convite só pode ser aceito uma vez.',
      next: 'Entre com o endereço convidado para abrir a conta.',
    },
    limited: {
      heading: 'Tentativas demais',
      said: 'Muitos convites foram abertos a partir da sua rede em pouco tempo.',
      next: 'Aguarde dez minutos e abra o link de novo.',
    },
    failed: {
      heading: 'Esta página não pode ser exibida agora',
      said: 'Algo deu errado do nosso lado. O seu convite não foi afetado.',
      next: 'Tente de novo em alguns minutos. Se voltar a acontecer, informe este número a quem mantém o serviço: {requestId}',
    },
  },
};

export const inviteWords: Catalogue<Words> = { en, de, fr, es, pt };
