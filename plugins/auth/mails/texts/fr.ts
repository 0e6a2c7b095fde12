import type { MailTexts } from '../kinds.js';

export const fr: MailTexts = {
  code: {
    subject: '{{ code }} est votre code pour {{ brandName }}',
    heading: 'Votre code de connexion\u00a0: {{ code }}',
    body: 'Saisissez le code {{ code }} là où vous vous connectez à {{ brandName }}. Il est valable {{ minutes }} minutes et ne peut être utilisé qu’une fois.',
    footer:
      'Ne donnez ce code à personne\u202f; personne chez {{ brandName }} ne vous le demandera. Si vous n’avez pas essayé de vous connecter, vous pouvez ignorer cet e-mail.',
  },
  link: {
    subject: 'Connexion à {{ brandName }}',
    heading: 'Connexion à {{ brandName }}',
    body: 'Utilisez le bouton ci-dessous pour vous connecter. Le lien est valable {{ minutes }} minutes et ne peut être utilisé qu’une fois.',
    button: 'Se connecter',
    footer:
      'Ne transférez ce lien à personne. Si vous n’avez pas essayé de vous connecter, vous pouvez ignorer cet e-mail.',
  },
  verifyAddress: {
    subject: '{{ code }} est votre code pour confirmer cette adresse chez {{ brandName }}',
    heading: 'Confirmez votre adresse\u00a0: {{ code }}',
    body: 'Saisissez le code {{ code }} pour ajouter cette adresse à votre compte {{ brandName }}. Il est valable {{ minutes }} minutes.',
    footer: 'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Sans le code, l’adresse ne sera pas ajoutée.',
  },
  notices: {
    password_set: {
      subject: 'Un mot de passe a été défini',
      body: 'Un mot de passe a été défini pour votre compte {{ brandName }}.',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      body: 'Le mot de passe de votre compte {{ brandName }} a été modifié.',
    },
    password_removed: {
      subject: 'Votre mot de passe a été supprimé',
      body: 'Le mot de passe de votre compte {{ brandName }} a été supprimé.',
    },
    factor_activated: {
      subject: 'La connexion en deux étapes est activée',
      body: 'Une application d’authentification protège désormais votre compte {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Votre application d’authentification a été remplacée',
      body: 'Une autre application d’authentification protège désormais votre compte {{ brandName }}. La précédente ne fonctionne plus.',
    },
    factor_removed: {
      subject: 'La connexion en deux étapes est désactivée',
      body: 'L’application d’authentification de votre compte {{ brandName }} a été supprimée. La connexion se fait de nouveau en une étape.',
    },
    recovery_regenerated: {
      subject: 'Vous avez de nouveaux codes de secours',
      body: 'De nouveaux codes de secours ont été créés pour votre compte {{ brandName }}. Les précédents ne fonctionnent plus.',
    },
    recovery_used: {
      subject: 'Un code de secours a été utilisé',
      body: 'Quelqu’un s’est connecté à votre compte {{ brandName }} avec un code de secours.',
    },
    passkey_added: {
      subject: 'Une clé d’accès a été ajoutée',
      body: 'La clé d’accès «\u00a0{{ what }}\u00a0» a été ajoutée à votre compte {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'Une clé d’accès a été supprimée',
      body: 'La clé d’accès «\u00a0{{ what }}\u00a0» a été supprimée de votre compte {{ brandName }}.',
    },
    primary_changed: {
      subject: 'Votre adresse ou votre numéro par défaut a été modifié',
      body: 'L’adresse ou le numéro par défaut de votre compte {{ brandName }} est désormais {{ what }}.',
    },
    identity_added: {
      subject: 'Un moyen de connexion a été ajouté',
      body: '{{ what }} a été ajouté à votre compte {{ brandName }} et peut servir à se connecter.',
    },
    identity_removed: {
      subject: 'Un moyen de connexion a été supprimé',
      body: '{{ what }} a été supprimé de votre compte {{ brandName }}.',
    },
    new_device: {
      subject: 'Nouvelle connexion à {{ brandName }}',
      body: 'Quelqu’un s’est connecté à votre compte {{ brandName }} depuis un nouvel appareil\u00a0: {{ what }}.',
    },
  },
  facts: 'Date et heure\u00a0: {{ time }}\nAdresse IP\u00a0: {{ ip }}',
  noticeFooter:
    'Si c’était vous, vous n’avez rien à faire. Sinon, connectez-vous immédiatement, déconnectez-vous partout ailleurs et modifiez vos moyens de connexion.',
  sms: '{{ code }} est votre code pour {{ brandName }}. Ne le donnez à personne. Valable {{ minutes }} minutes.',
};
