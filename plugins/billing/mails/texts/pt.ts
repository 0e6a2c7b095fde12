import type { MailTexts } from '../kinds.js';

export const pt: MailTexts = {
  invoice: {
    subject: 'Fatura {{ number }} de {{ month }}: {{ amount }}',
    heading: 'A sua fatura de {{ month }}',
    body: 'A fatura {{ number }} no valor de {{ amount }} vence em {{ dueDate }}. {% if collection == "manual" %}Pague-a como combinado e indique o número da fatura.{% else %}Não há nenhum método de pagamento com o qual possa ser cobrada.{% endif %}',
    button: 'Ver a fatura',
    footer: 'Recebe este e-mail porque as faturas desta conta lhe são enviadas.',
  },
  receipt: {
    subject: 'Recibo da fatura {{ number }}: {{ amount }}',
    heading: 'Agradecemos o pagamento',
    body: 'A fatura {{ number }} de {{ month }} no valor de {{ amount }} está paga.',
    button: 'Ver a fatura',
    footer: 'A página também tem a fatura em PDF.',
  },
  payment_failed: {
    subject: 'Não foi possível cobrar a fatura {{ number }}',
    heading: 'O pagamento falhou',
    body: 'Não foi possível cobrar a fatura {{ number }} de {{ month }} no valor de {{ amount }}. {{ reason }} Haverá novas tentativas nos próximos dias.',
    button: 'Pagar agora',
    footer:
      'Se o método de pagamento já não for válido, adicione outro. Se a fatura continuar por pagar uma semana depois do vencimento, em {{ dueDate }}, os envios em massa ficam retidos até que seja paga.',
  },
  action_required: {
    subject: 'Confirme o pagamento da fatura {{ number }}',
    heading: 'O seu banco pede a sua confirmação',
    body: 'A fatura {{ number }} de {{ month }} no valor de {{ amount }} poderá ser paga quando confirmar o pagamento junto do seu banco.',
    button: 'Confirmar o pagamento',
    footer: 'O botão leva à página da fatura e, daí, ao seu banco.',
  },
  payment_taken_back: {
    subject: 'O pagamento da fatura {{ number }} foi devolvido',
    heading: 'O seu banco devolveu o pagamento',
    body: 'O pagamento da fatura {{ number }} de {{ month }} no valor de {{ amount }} foi devolvido ou contestado junto do seu banco, pelo que a fatura está de novo por pagar. Não será cobrada automaticamente.',
    button: 'Pagar agora',
    footer:
      'Se foi um engano, contacte o seu banco ou o operador. Se a fatura continuar por pagar ao fim de uma semana, os envios em massa ficam retidos até que seja paga.',
  },
  refund: {
    subject: 'Reembolso da fatura {{ number }}: {{ refunded }}',
    heading: 'Um pagamento foi reembolsado',
    body: 'Da fatura {{ number }} de {{ month }} no valor de {{ amount }} foram reembolsados {{ refunded }}. O valor pode demorar alguns dias a chegar à sua conta.',
    button: 'Ver a fatura',
    footer: 'Não precisa de fazer nada.',
  },
  past_due: {
    subject: 'A fatura {{ number }} está vencida: os envios em massa estão retidos',
    heading: 'A fatura {{ number }} está vencida',
    body: 'A fatura {{ number }} de {{ month }} no valor de {{ amount }} venceu em {{ dueDate }}. Até que seja paga, os envios em massa ficam retidos. As mensagens individuais, o início de sessão e tudo o resto continuam a funcionar.{% if collection == "manual" %} Pague-a como combinado e indique o número da fatura.{% endif %}',
    button: '{% if collection == "manual" %}Ver a fatura{% else %}Pagar agora{% endif %}',
    footer: 'Os envios retidos são retomados automaticamente assim que a fatura for paga.',
  },
  cap: {
    subject: '{{ percent }}\u00a0% do seu limite de gastos foram usados',
    heading: '{{ percent }}\u00a0% do limite de gastos foram usados',
    body: 'Em {{ month }}, {{ amount }} do limite de {{ cap }} foram gastos. O que ultrapassaria o limite é recusado.',
    footer:
      'Um proprietário pode alterar ou remover o limite com billing.cap.set. billing.usage.get mostra o que foi usado.',
  },
};
