import type { SubscribeTexts } from './texts.js';

export const fr: SubscribeTexts = {
  heading: 'S’abonner à «\u00a0{topic}\u00a0»',
  email: 'Adresse e-mail',
  firstName: 'Prénom',
  optional: '(facultatif)',
  consent:
    'Je souhaite recevoir «\u00a0{topic}\u00a0» par e-mail, de la part du service {brand}. Je peux me désabonner à tout moment grâce au lien figurant dans chaque e-mail.',
  button: 'S’abonner',
  mistakes: {
    email: 'Saisissez une adresse e-mail complète, par exemple nom@example.com.',
    firstName: 'Saisissez un prénom sans adresse web, de 100 caractères au plus.',
  },
  leaveEmpty: 'Laissez ce champ vide',
  confirm: {
    heading: 'Confirmez votre abonnement',
    text: '«\u00a0{topic}\u00a0» sera envoyé à l’adresse {email}.',
    button: 'Confirmer l’abonnement',
  },
  done: {
    asked: {
      heading: 'Encore une étape\u00a0: consultez votre messagerie',
      text: 'Si l’adresse saisie peut recevoir des e-mails, vous en recevrez un contenant un lien. Ouvrez-le pour confirmer votre abonnement à «\u00a0{topic}\u00a0». Le lien est valable {days} jours. Si vous ne trouvez pas l’e-mail, regardez dans vos courriers indésirables.',
    },
    registered: {
      heading: 'Merci',
      text: 'Vous recevrez «\u00a0{topic}\u00a0» par e-mail. Si cette adresse avait été désabonnée, nous envoyons d’abord un e-mail contenant un lien de confirmation.',
    },
    subscribed: {
      heading: 'Votre abonnement est confirmé',
      text: 'Vous recevrez «\u00a0{topic}\u00a0» par e-mail. Vous pouvez vous désabonner à tout moment grâce au lien figurant dans chaque e-mail.',
    },
    blocked: {
      heading: 'Votre abonnement est enregistré, mais les envois sont arrêtés',
      text: 'Un e-mail précédent envoyé à cette adresse est revenu ou a été signalé comme indésirable, ou bien {brand} a arrêté d’y écrire. Pour recevoir «\u00a0{topic}\u00a0», contactez {brand}.',
    },
  },
  problems: {
    unknown: {
      heading: 'Ce formulaire n’est pas disponible',
      text: 'Il a été fermé, ou l’adresse de cette page est incomplète.',
    },
    invalid: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Il est incomplet. Ouvrez de nouveau le lien de l’e-mail et vérifiez qu’il est complet.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      text: 'Il était valable {days} jours. Saisissez de nouveau votre adresse dans le formulaire pour en recevoir un autre.',
    },
    void: {
      heading: 'Ce lien n’est plus valable',
      text: 'Le choix concernant cette adresse a été modifié après l’envoi du lien. Pour vous abonner, saisissez de nouveau l’adresse dans le formulaire.',
    },
    limited: {
      heading: 'Trop de tentatives',
      text: 'Le formulaire a été utilisé trop souvent avec cette adresse, depuis votre réseau ou au total. Rien n’a été modifié cette fois-ci. Réessayez plus tard.',
    },
    closed: {
      heading: 'Ce formulaire n’est pas disponible pour le moment',
      text: 'Aucun nouvel abonnement n’est possible actuellement.',
    },
    failed: {
      heading: 'Cette page ne peut pas être affichée pour le moment',
      text: 'Une erreur s’est produite de notre côté. Réessayez dans quelques minutes. Si le problème persiste, communiquez aux exploitants de ce service cet identifiant de demande\u00a0: {requestId}',
    },
  },
  again: 'Ouvrir le formulaire',
  continue: 'Continuer',
};
