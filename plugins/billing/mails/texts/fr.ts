import type { MailTexts } from '../kinds.js';

export const fr: MailTexts = {
  invoice: {
    subject: 'Facture {{ number }} pour {{ month }}\u00a0: {{ amount }}',
    heading: 'Votre facture pour {{ month }}',
    body: 'La facture {{ number }} de {{ amount }} est à payer au plus tard le {{ dueDate }}. {% if collection == "manual" %}Veuillez la payer comme convenu, en indiquant son numéro.{% else %}Aucun moyen de paiement n’est enregistré pour la régler.{% endif %}',
    button: 'Voir la facture',
    footer: 'Vous recevez cet e-mail parce que les factures de ce compte vous sont adressées.',
  },
  receipt: {
    subject: 'Reçu pour la facture {{ number }}\u00a0: {{ amount }}',
    heading: 'Merci pour votre paiement',
    body: 'La facture {{ number }} pour {{ month }}, d’un montant de {{ amount }}, est payée.',
    button: 'Voir la facture',
    footer: 'La page propose aussi la facture en PDF.',
  },
  payment_failed: {
    subject: 'Le paiement de la facture {{ number }} a échoué',
    heading: 'Le paiement a échoué',
    body: 'Le paiement de la facture {{ number }} pour {{ month }}, d’un montant de {{ amount }}, a échoué. {{ reason }} De nouvelles tentatives suivront dans les prochains jours.',
    button: 'Payer maintenant',
    footer:
      'Si le moyen de paiement n’est plus valable, ajoutez-en un autre. Si la facture reste impayée une semaine après l’échéance du {{ dueDate }}, les envois groupés seront suspendus jusqu’à son paiement.',
  },
  action_required: {
    subject: 'Veuillez confirmer le paiement de la facture {{ number }}',
    heading: 'Votre banque demande votre confirmation',
    body: 'La facture {{ number }} pour {{ month }}, d’un montant de {{ amount }}, pourra être payée dès que vous aurez confirmé le paiement auprès de votre banque.',
    button: 'Confirmer le paiement',
    footer: 'Le bouton mène à la page de la facture, puis à votre banque.',
  },
  payment_taken_back: {
    subject: 'Le paiement de la facture {{ number }} a été rejeté par la banque',
    heading: 'Votre banque a rejeté le paiement',
    body: 'Le paiement de la facture {{ number }} pour {{ month }}, d’un montant de {{ amount }}, a été rejeté ou contesté auprès de votre banque. La facture est donc de nouveau à payer. Elle ne sera pas débitée une nouvelle fois automatiquement.',
    button: 'Payer maintenant',
    footer:
      'S’il s’agit d’une erreur, adressez-vous à votre banque ou à l’exploitant. Si la facture est toujours impayée au bout d’une semaine, les envois groupés seront suspendus jusqu’à son paiement.',
  },
  refund: {
    subject: 'Remboursement de la facture {{ number }}\u00a0: {{ refunded }}',
    heading: 'Un paiement a été remboursé',
    body: 'Sur les {{ amount }} de la facture {{ number }} pour {{ month }}, {{ refunded }} ont été remboursés. Quelques jours peuvent s’écouler avant que la somme arrive sur votre compte.',
    button: 'Voir la facture',
    footer: 'Vous n’avez rien à faire.',
  },
  past_due: {
    subject: 'La facture {{ number }} est en retard\u00a0: les envois groupés sont suspendus',
    heading: 'La facture {{ number }} est en retard',
    body: 'La facture {{ number }} pour {{ month }}, d’un montant de {{ amount }}, était à payer au plus tard le {{ dueDate }}. Jusqu’à son paiement, les envois groupés sont suspendus. Les messages individuels, la connexion et tout le reste continuent de fonctionner.{% if collection == "manual" %} Veuillez la payer comme convenu, en indiquant son numéro.{% endif %}',
    button: '{% if collection == "manual" %}Voir la facture{% else %}Payer maintenant{% endif %}',
    footer: 'Les envois suspendus reprennent automatiquement dès que la facture est payée.',
  },
  cap: {
    subject: 'Vous avez atteint {{ percent }}\u00a0% de votre plafond de dépenses',
    heading: '{{ percent }}\u00a0% du plafond de dépenses sont atteints',
    body: 'En {{ month }}, {{ amount }} du plafond de {{ cap }} ont été dépensés. Ce qui dépasserait le plafond est refusé.',
    footer:
      'Un propriétaire peut modifier ou supprimer le plafond avec billing.cap.set. billing.usage.get montre ce qui a été utilisé.',
  },
};
