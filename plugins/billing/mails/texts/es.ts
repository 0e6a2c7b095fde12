import type { MailTexts } from '../kinds.js';

export const es: MailTexts = {
  invoice: {
    subject: 'Factura {{ number }} de {{ month }}: {{ amount }}',
    heading: 'Su factura de {{ month }}',
    body: 'La factura {{ number }} por {{ amount }} vence el {{ dueDate }}. {% if collection == "manual" %}Páguela según lo acordado e indique el número de factura.{% else %}No hay ningún método de pago con el que cobrarla.{% endif %}',
    button: 'Ver la factura',
    footer: 'Recibe este correo porque las facturas de esta cuenta se le envían a usted.',
  },
  receipt: {
    subject: 'Recibo de la factura {{ number }}: {{ amount }}',
    heading: 'Gracias por su pago',
    body: 'La factura {{ number }} de {{ month }} por {{ amount }} está pagada.',
    button: 'Ver la factura',
    footer: 'En la página también está la factura en PDF.',
  },
  payment_failed: {
    subject: 'No se pudo cobrar la factura {{ number }}',
    heading: 'El pago ha fallado',
    body: 'No se pudo cobrar la factura {{ number }} de {{ month }} por {{ amount }}. {{ reason }} Se intentará de nuevo en los próximos días.',
    button: 'Pagar ahora',
    footer:
      'Si el método de pago ya no es válido, añada otro. Si la factura sigue pendiente una semana después de su vencimiento el {{ dueDate }}, los envíos masivos quedarán retenidos hasta que se pague.',
  },
  action_required: {
    subject: 'Confirme el pago de la factura {{ number }}',
    heading: 'Su banco pide su confirmación',
    body: 'La factura {{ number }} de {{ month }} por {{ amount }} se podrá pagar cuando confirme el pago con su banco.',
    button: 'Confirmar el pago',
    footer: 'El botón lleva a la página de la factura y, desde allí, a su banco.',
  },
  payment_taken_back: {
    subject: 'El pago de la factura {{ number }} ha sido devuelto',
    heading: 'Su banco ha devuelto el pago',
    body: 'El pago de la factura {{ number }} de {{ month }} por {{ amount }} se ha devuelto o reclamado en su banco, por lo que la factura vuelve a estar pendiente. No se cobrará automáticamente.',
    button: 'Pagar ahora',
    footer:
      'Si ha sido un error, diríjase a su banco o al operador. Si la factura sigue pendiente al cabo de una semana, los envíos masivos quedarán retenidos hasta que se pague.',
  },
  refund: {
    subject: 'Reembolso de la factura {{ number }}: {{ refunded }}',
    heading: 'Se ha reembolsado un pago',
    body: 'De la factura {{ number }} de {{ month }} por {{ amount }} se han reembolsado {{ refunded }}. El importe puede tardar unos días en llegar a su cuenta.',
    button: 'Ver la factura',
    footer: 'No tiene que hacer nada.',
  },
  past_due: {
    subject: 'La factura {{ number }} está vencida: los envíos masivos están retenidos',
    heading: 'La factura {{ number }} está vencida',
    body: 'La factura {{ number }} de {{ month }} por {{ amount }} venció el {{ dueDate }}. Hasta que se pague, los envíos masivos quedan retenidos. Los mensajes individuales, el inicio de sesión y todo lo demás siguen funcionando.{% if collection == "manual" %} Páguela según lo acordado e indique el número de factura.{% endif %}',
    button: '{% if collection == "manual" %}Ver la factura{% else %}Pagar ahora{% endif %}',
    footer: 'Los envíos retenidos se reanudarán automáticamente en cuanto se pague la factura.',
  },
  cap: {
    subject: 'Se ha usado el {{ percent }}\u00a0% de su límite de gasto',
    heading: 'Se ha usado el {{ percent }}\u00a0% del límite de gasto',
    body: 'En {{ month }} se han gastado {{ amount }} del límite de {{ cap }}. Lo que supere el límite se rechaza.',
    footer:
      'Un propietario puede cambiar o quitar el límite con billing.cap.set. billing.usage.get muestra lo que se ha usado.',
  },
};
