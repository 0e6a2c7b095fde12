import type { FailureTexts } from '../tables/failure-codes.js';

export const es: FailureTexts = {
  insufficient_funds: 'La cuenta no tiene fondos suficientes.',
  limit_exceeded: 'El pago supera un límite de la tarjeta o de la cuenta.',
  method_expired: 'La tarjeta ha caducado.',
  method_invalid: 'El número, la fecha de caducidad o el código de seguridad del método de pago no son correctos.',
  method_not_supported: 'El banco no permite este tipo de pago, o esta moneda, con este método de pago.',
  account_closed: 'La cuenta bancaria está cerrada o no existe.',
  mandate_missing: 'El titular de la cuenta no permite el cargo o ha retirado su permiso.',
  authentication_failed: 'El pago no se confirmó con el banco.',
  declined: 'El banco rechazó el pago sin dar un motivo. Su banco puede darle más información.',
  temporary: 'El banco no pudo procesar el pago en ese momento.',
  confirmation_needed: 'El banco pide una confirmación.',
  payment_cancelled: 'El pago se canceló.',
  method_unusable: 'El método de pago ya no se puede usar.',
  page_expired: 'La página caducó antes de que se añadiera un método de pago.',
  page_unopened: 'La página no se abrió nunca.',
  method_superseded: 'Ya está guardado un método de pago que se introdujo más tarde.',
  taken_back: 'El banco ha devuelto el pago.',
  other: 'El proveedor de pagos indica: «{reason}».',
};
