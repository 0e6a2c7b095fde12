import type { PreferencesTexts } from './texts.js';

export const fr: PreferencesTexts = {
  title: 'Vos préférences',
  heading: 'Ce que {project} peut vous envoyer',
  lead: 'Choisissez ce que vous souhaitez recevoir. Votre choix vaut dès que vous l’enregistrez.',
  channels: {
    email: {
      legend: 'E-mail',
      noTopics: 'Il n’y a pas de lettre d’information à choisir.',
      unsubscribe: 'Se désabonner de toutes les lettres d’information par e-mail',
      allow: 'Autoriser de nouveau les e-mails',
      reasons: {
        unsubscribe:
          'Vous êtes désabonné de toutes les lettres d’information par e-mail. Les messages sans abonnement, comme les reçus, vous parviennent toujours. Choisir quelque chose ici vous y abonne de nouveau.',
        complaint:
          'Vous avez signalé l’un de nos e-mails comme indésirable : rien n’est plus envoyé à cette adresse, sauf les codes de connexion et les alertes de sécurité. Choisir quelque chose ici vous y abonne de nouveau.',
        stop: 'Plus rien n’est envoyé à cette adresse.',
        bounce:
          'Les e-mails envoyés à cette adresse sont revenus : plus rien n’y est envoyé pour le moment. Vos choix sont conservés. Si l’adresse est correcte, prévenez {project}.',
        manual:
          '{project} n’envoie plus rien à cette adresse, sauf les codes de connexion et les alertes de sécurité. Vos choix sont conservés. Pour changer cela, adressez-vous à {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'Il n’y a rien à choisir.',
      unsubscribe: 'Se désabonner de toutes les lettres d’information par SMS',
      allow: 'Autoriser de nouveau les SMS',
      reasons: {
        unsubscribe:
          'Vous êtes désabonné de toutes les lettres d’information par SMS. Les messages sans abonnement, comme les avis de livraison, vous parviennent toujours. Choisir quelque chose ici vous y abonne de nouveau.',
        complaint:
          'Vous avez signalé l’un de nos SMS comme indésirable : rien n’est plus envoyé à ce numéro, sauf les codes de connexion et les alertes de sécurité. Choisir quelque chose ici vous y abonne de nouveau.',
        stop: 'Vous avez répondu STOP : plus aucun SMS n’est envoyé à ce numéro, pas même les codes de connexion. Pour en recevoir de nouveau, envoyez START au numéro qui vous a écrit. D’ici là, vos choix sont conservés.',
        bounce:
          'Les SMS envoyés à ce numéro ne sont pas arrivés : plus rien n’y est envoyé pour le moment. Vos choix sont conservés. Si le numéro est correct, prévenez {project}.',
        manual:
          '{project} n’envoie plus rien à ce numéro, sauf les codes de connexion et les alertes de sécurité. Vos choix sont conservés. Pour changer cela, adressez-vous à {project}.',
      },
    },
  },
  noAddress: '{project} n’a ni adresse e-mail ni numéro de téléphone à votre nom : il n’y a donc rien à choisir ici.',
  unsubscribeTopic: {
    heading: 'Ne plus recevoir « {topic} » ?',
    text: 'Le message qui vous a conduit ici en faisait partie.',
    button: 'Se désabonner de {topic}',
  },
  save: 'Enregistrer mes choix',
  unsubscribeAll: {
    heading: 'Se désabonner de toutes les lettres d’information',
    text: '{project} ne vous envoie alors plus de lettre d’information, pas même celles qui ne figurent pas ci-dessus. Les messages sans abonnement, comme les reçus et les confirmations, vous parviennent toujours. Vous pouvez changer d’avis sur cette page.',
    button: 'Se désabonner de toutes les lettres d’information',
  },
  done: {
    saved: 'Vos choix sont enregistrés.',
    unsubscribedTopic: 'Vous ne recevrez plus {topic}.',
    unsubscribed: 'Votre désabonnement est enregistré.',
    allowed: 'Les messages sont de nouveau autorisés.',
  },
  stale: {
    heading: 'Rien n’a été modifié',
    text: 'Le choix proposé a changé depuis que vous avez ouvert cette page. Voici où les choses en sont : choisissez de nouveau.',
  },
  errors: {
    invalid: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Il est incomplet, ou il ne correspond plus à personne.',
      next: 'Ouvrez de nouveau le lien du message en vérifiant qu’il est entier. Le lien d’un message plus récent fonctionne aussi.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      text: 'Il n’était valable qu’un certain temps.',
      next: 'Retournez là où vous l’avez trouvé et ouvrez-en un nouveau. Les liens de nos messages n’expirent jamais.',
    },
    limited: {
      heading: 'Trop de tentatives',
      text: 'Des préférences ont été ouvertes ou modifiées très souvent depuis votre réseau. Rien n’a été modifié à l’instant.',
      next: 'Attendez dix minutes, puis ouvrez de nouveau le lien.',
    },
    failed: {
      heading: 'Cette page ne peut pas être affichée pour le moment',
      text: 'Une erreur s’est produite de notre côté.',
      next: 'Réessayez dans quelques minutes. Si cela se reproduit, donnez ce numéro aux responsables du service : {requestId}',
    },
  },
};
