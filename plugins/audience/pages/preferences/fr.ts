import type { PreferencesTexts } from './texts.js';

export const fr: PreferencesTexts = {
  title: 'Vos préférences',
  heading: 'Ce que peut vous envoyer {project}',
  lead: 'Choisissez ce que vous souhaitez recevoir. Votre choix prend effet dès que vous l’enregistrez.',
  channels: {
    email: {
      legend: 'E-mail',
      noTopics: 'Aucune lettre d’information n’est proposée.',
      unsubscribe: 'Se désabonner de toutes les lettres d’information par e-mail',
      allow: 'Autoriser de nouveau les e-mails',
      reasons: {
        unsubscribe:
          'Vous ne recevez plus aucune lettre d’information par e-mail. Les autres messages, comme les reçus, vous parviennent toujours. Si vous cochez une case ici, vous vous y abonnez de nouveau.',
        complaint:
          'Vous avez signalé l’un de nos e-mails comme indésirable\u00a0: plus rien n’est envoyé à cette adresse, sauf les codes de connexion et les alertes de sécurité. Si vous cochez une case ici, vous vous y abonnez de nouveau.',
        stop: 'Plus rien n’est envoyé à cette adresse.',
        bounce:
          'Les e-mails envoyés à cette adresse sont revenus\u00a0: plus rien n’y est envoyé pour le moment. Vos choix sont conservés. Si l’adresse est correcte, prévenez {project}.',
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
          'Vous ne recevez plus aucune lettre d’information par SMS. Les autres messages, comme les avis de livraison, vous parviennent toujours. Si vous cochez une case ici, vous vous y abonnez de nouveau.',
        complaint:
          'Vous avez signalé l’un de nos SMS comme indésirable\u00a0: plus rien n’est envoyé à ce numéro, sauf les codes de connexion et les alertes de sécurité. Si vous cochez une case ici, vous vous y abonnez de nouveau.',
        stop: 'Vous avez répondu STOP\u00a0: plus aucun SMS n’est envoyé à ce numéro, pas même les codes de connexion. Pour en recevoir de nouveau, envoyez START au numéro qui vous a écrit. D’ici là, vos choix sont conservés.',
        bounce:
          'Les SMS envoyés à ce numéro ne sont pas arrivés\u00a0: plus rien n’y est envoyé pour le moment. Vos choix sont conservés. Si le numéro est correct, prévenez {project}.',
        manual:
          '{project} n’envoie plus rien à ce numéro, sauf les codes de connexion et les alertes de sécurité. Vos choix sont conservés. Pour changer cela, adressez-vous à {project}.',
      },
    },
  },
  noAddress:
    '{project} n’a ni adresse e-mail ni numéro de téléphone à votre nom\u00a0: il n’y a donc rien à choisir ici.',
  unsubscribeTopic: {
    heading: 'Ne plus recevoir «\u00a0{topic}\u00a0»\u202f?',
    text: 'Le message qui contenait ce lien en faisait partie.',
    button: 'Se désabonner de «\u00a0{topic}\u00a0»',
  },
  save: 'Enregistrer mes choix',
  unsubscribeAll: {
    heading: 'Se désabonner de toutes les lettres d’information',
    text: '{project} ne vous enverra plus de lettres d’information, pas même celles qui ne figurent pas ci-dessus. Les autres messages, comme les reçus et les confirmations, vous parviendront toujours. Vous pourrez revenir sur ce choix à tout moment sur cette page.',
    button: 'Se désabonner de toutes les lettres d’information',
  },
  done: {
    saved: 'Vos choix sont enregistrés.',
    unsubscribedTopic: 'Vous ne recevrez plus « {topic} ».',
    unsubscribed: 'Votre désabonnement est enregistré.',
    allowed: 'Les messages sont de nouveau autorisés.',
  },
  stale: {
    heading: 'Rien n’a été modifié',
    text: 'Les choix proposés ont changé depuis que vous avez ouvert cette page. Voici leur état actuel\u00a0: choisissez de nouveau.',
  },
  errors: {
    invalid: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Il est incomplet ou n’est plus valable.',
      next: 'Ouvrez de nouveau le lien du message en vérifiant qu’il est complet. Le lien d’un message plus récent fonctionne aussi.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      text: 'Il n’était valable qu’un certain temps.',
      next: 'Retournez là où vous l’avez trouvé et ouvrez-en un nouveau. Les liens de nos messages n’expirent jamais.',
    },
    limited: {
      heading: 'Trop de tentatives',
      text: 'Des préférences ont été ouvertes ou modifiées trop souvent depuis votre réseau. Rien n’a été modifié cette fois-ci.',
      next: 'Attendez dix minutes, puis ouvrez de nouveau le lien.',
    },
    failed: {
      heading: 'Cette page ne peut pas être affichée pour le moment',
      text: 'Une erreur s’est produite de notre côté.',
      next: 'Réessayez dans quelques minutes. Si cela se reproduit, communiquez cet identifiant de demande aux exploitants de ce service\u00a0: {requestId}',
    },
  },
};
