import type { BillingTexts } from './billing-texts.js';

export const es: BillingTexts = {
  invoice: {
    title: 'Factura {number}',
    number: 'Número',
    month: 'Mes',
    amount: 'Importe',
    due: 'Vence el',
    paidOn: 'Pagada el',
    pdf: 'Descargar la factura (PDF)',
    lead: {
      open: 'Esta factura aún no está pagada.',
      past_due: 'Esta factura está vencida. Los envíos masivos quedan retenidos hasta que se pague.',
      paid: 'Esta factura está pagada. Gracias.',
      void: 'Esta factura se anuló: no hay nada que pagar.',
      carried:
        'Este importe es demasiado pequeño para cobrarlo. Se trasladó a una factura posterior: ahora no hay nada que pagar.',
      processing: 'El pago está en curso. Puede tardar unos días.',
      confirm: 'Su banco le pide que confirme este pago.',
      noMethod: 'Esta factura aún no está pagada y no hay ningún método de pago con el que cobrarla.',
      manual: 'Esta factura aún no está pagada. Páguela según lo acordado e indique el número de factura.',
      unavailable:
        'El proveedor de pagos no responde en este momento. No se cobrará nada dos veces: inténtelo de nuevo en unos minutos.',
    },
    failed: 'El último pago falló. {reason}',
    pay: 'Pagar {amount}',
    confirm: 'Confirmar el pago',
    addMethod: 'Añadir un método de pago y pagar',
    otherMethod: 'Usar otro método de pago',
  },
  method: {
    title: 'Método de pago',
    pending:
      'El método de pago se introduce en la página de nuestro proveedor de pagos. Las facturas se cobran con él.',
    start: 'Añadir un método de pago',
    active: 'El método de pago se ha guardado. Las facturas pendientes y futuras se cobrarán con él.',
    failed: 'El método de pago no se guardó. {reason}',
    again: 'Cierre esta página y vuelva a añadir un método de pago donde empezó.',
    unavailable: 'El proveedor de pagos no responde en este momento. Inténtelo de nuevo en unos minutos.',
    back: 'Volver',
  },
  leaving: {
    title: 'Continuar al proveedor de pagos',
    text: 'Le llevamos a la página de nuestro proveedor de pagos.',
    button: 'Continuar',
  },
};
