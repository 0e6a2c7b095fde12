import type { InviteTexts } from './texts.js';

export const fr: InviteTexts = {
  title: 'Invitation à rejoindre {account}',
  heading: 'Une invitation à rejoindre {account}',
  lead: '{inviter} vous invite à devenir membre de ce compte.',
  leadWithoutInviter: 'Vous avez reçu une invitation à devenir membre de ce compte.',
  address: 'Adresse e-mail',
  role: 'Votre rôle',
  validUntil: 'Valable jusqu’au',
  roles: {
    owner: {
      name: 'Propriétaire',
      description: 'Vous pouvez tout faire, y compris ce qui est réservé aux propriétaires, comme fermer le compte.',
    },
    admin: {
      name: 'Administrateur',
      description: 'Vous pouvez tout faire, sauf ce qui est réservé aux propriétaires.',
    },
    developer: {
      name: 'Développeur',
      description:
        'Vous pouvez tout voir, et modifier la connexion, les e-mails, les SMS, les audiences, les clés et les webhooks.',
    },
    viewer: { name: 'Lecteur', description: 'Vous pouvez tout voir, sans rien modifier.' },
  },
  narrowed: {
    change: 'Vous pouvez modifier\u00a0: {areas}.',
    see: 'Vous pouvez voir\u00a0: {areas}.',
    areas: {
      account: 'compte',
      auth: 'connexion',
      email: 'e-mails',
      sms: 'SMS',
      audience: 'audiences',
      billing: 'facturation',
      developers: 'clés et webhooks',
    },
  },
  next: {
    heading: 'Étape suivante',
    unavailable:
      'La connexion n’est pas disponible sur ce serveur\u00a0: l’invitation ne peut donc pas être acceptée ici. Adressez-vous à la personne qui vous a envoyé l’invitation.',
  },
  accept: {
    heading: 'Accepter l’invitation',
    start: 'Pour accepter, confirmez l’adresse {email}\u00a0: nous y envoyons un code.',
    sendCode: 'Envoyer le code',
    sendAgain: 'Envoyer un autre code',
    sent: 'Nous avons envoyé un code à {email}. Il est valable dix minutes.',
    code: 'Code reçu par e-mail',
    second: 'Votre compte est protégé par la connexion en deux étapes.',
    secondCode: 'Code de votre application d’authentification, ou code de secours',
    button: 'Accepter l’invitation',
    signIn: 'Connectez-vous avec {email} pour accepter l’invitation.',
    signInButton: 'Se connecter',
    doneHeading: 'Vous êtes maintenant membre',
    done: 'Vous avez rejoint {account}.',
    after: {
      heading: 'Ce que vous pouvez faire maintenant',
      signIn: 'Protéger votre connexion',
      signInWhy: 'Ajoutez une clé d’accès ou une deuxième étape, et voyez vos sessions en cours.',
      invoices:
        'Les e-mails de facturation sont envoyés aux propriétaires, ou à l’adresse des coordonnées de facturation. Leur lien mène à une page où vous pouvez voir la facture et la payer.',
      console: 'Ouvrir la console',
      work: 'Vous pouvez aussi utiliser le compte avec des programmes et en ligne de commande, comme le décrit {reference} (en anglais). Pour installer l’outil en ligne de commande et vous y connecter\u00a0:',
      reference: 'la référence',
    },
    mistakes: {
      wrongCode: 'Ce code n’est pas correct. Vérifiez-le et réessayez.',
      codeEnded: 'Ce code n’est plus valable. Demandez-en un autre.',
      nothingWaits:
        'La connexion a expiré, ou votre navigateur bloque les cookies. Autorisez-les pour ce site, puis demandez un autre code.',
    },
  },
  problems: {
    unknown: {
      heading: 'Invitation introuvable',
      explanation: 'Le lien est incomplet, ou cette invitation n’a jamais existé.',
      next: 'Ouvrez de nouveau le lien de l’e-mail en vérifiant qu’il est complet. Si cela ne suffit pas, demandez-en un autre à la personne qui vous l’a envoyé.',
    },
    expired: {
      heading: 'Cette invitation a expiré',
      explanation: 'Le lien n’était valable que pour une durée limitée.',
      next: 'Demandez une nouvelle invitation à la personne qui vous a envoyé celle-ci\u00a0: vous recevrez un nouveau lien.',
    },
    revoked: {
      heading: 'Cette invitation a été retirée',
      explanation: 'Le lien ne fonctionne plus.',
      next: 'Si vous pensez qu’il s’agit d’une erreur, demandez une nouvelle invitation à un propriétaire ou à un administrateur du compte.',
    },
    accepted: {
      heading: 'Cette invitation a déjà été acceptée',
      explanation: 'Une invitation ne peut être acceptée qu’une fois.',
      next: 'Si vous l’avez acceptée, vous êtes déjà membre. Si quelqu’un d’autre l’a fait, prévenez un propriétaire du compte.',
    },
    limited: {
      heading: 'Trop de tentatives',
      explanation: 'Trop de tentatives ont été faites depuis votre réseau en peu de temps.',
      next: 'Votre invitation reste valable\u00a0: ouvrez de nouveau le lien dans une heure.',
    },
    secondStep: {
      heading: 'Une deuxième étape est obligatoire',
      explanation:
        'Ici, la connexion demande une deuxième étape avec une application d’authentification, et vous n’en avez pas encore configuré une. Votre invitation reste valable.',
      next: 'Configurez-la sur la page ci-dessous, puis ouvrez de nouveau le lien de l’e-mail.',
    },
    failed: {
      heading: 'Cette page ne peut pas être affichée pour le moment',
      explanation: 'Une erreur s’est produite de notre côté. Votre invitation reste valable.',
      next: 'Réessayez dans quelques minutes. Si cela se reproduit, communiquez cet identifiant de demande aux exploitants de ce service\u00a0: {requestId}',
    },
  },
};
