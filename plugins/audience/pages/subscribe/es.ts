import type { SubscribeTexts } from './texts.js';

export const es: SubscribeTexts = {
  heading: 'Suscribirse a «{topic}»',
  email: 'Dirección de correo',
  firstName: 'Nombre',
  optional: '(opcional)',
  consent:
    'Quiero recibir «{topic}» de {brand} por correo. Puedo darme de baja en cualquier momento con el enlace de cada correo.',
  button: 'Suscribirse',
  mistakes: {
    email: 'Introduzca una dirección de correo completa, por ejemplo nombre@example.com.',
    firstName: 'Introduzca un nombre sin dirección web, de 100 caracteres como máximo.',
  },
  leaveEmpty: 'Deje este campo vacío',
  confirm: {
    heading: 'Confirme su suscripción',
    text: '«{topic}» se enviará a {email}.',
    button: 'Confirmar suscripción',
  },
  done: {
    asked: {
      heading: 'Un paso más: revise su buzón',
      text: 'Si la dirección introducida puede recibir correos, recibirá uno con un enlace. Ábralo para confirmar su suscripción a «{topic}». El enlace es válido durante {days} días. Si no encuentra el correo, mire en la carpeta de correo no deseado.',
    },
    registered: {
      heading: 'Gracias',
      text: 'Recibirá «{topic}» por correo. Si esta dirección se había dado de baja, antes enviamos un correo con un enlace para confirmarlo.',
    },
    subscribed: {
      heading: 'Su suscripción está confirmada',
      text: 'Recibirá «{topic}» por correo. Puede darse de baja en cualquier momento con el enlace de cada correo.',
    },
    blocked: {
      heading: 'Su suscripción se ha guardado, pero los envíos están detenidos',
      text: 'Un correo anterior a esta dirección fue devuelto o se marcó como no deseado, o {brand} dejó de enviarle correos. Para recibir «{topic}», póngase en contacto con {brand}.',
    },
  },
  problems: {
    unknown: {
      heading: 'Este formulario no está disponible',
      text: 'Se ha cerrado o la dirección de esta página está incompleta.',
    },
    invalid: {
      heading: 'Este enlace no funciona',
      text: 'Está incompleto. Abra de nuevo el enlace del correo y compruebe que está completo.',
    },
    expired: {
      heading: 'Este enlace ha caducado',
      text: 'Era válido durante {days} días. Introduzca de nuevo su dirección en el formulario para recibir otro.',
    },
    void: {
      heading: 'Este enlace ya no es válido',
      text: 'La elección para esta dirección cambió después de enviarse el enlace. Para suscribirse, introduzca de nuevo la dirección en el formulario.',
    },
    limited: {
      heading: 'Demasiados intentos',
      text: 'El formulario se ha usado demasiadas veces con esta dirección, desde su red o en total. Esta vez no se ha cambiado nada. Inténtelo más tarde.',
    },
    closed: {
      heading: 'Este formulario no está disponible en este momento',
      text: 'Por ahora no es posible suscribirse.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      text: 'Se ha producido un error por nuestra parte. Inténtelo de nuevo dentro de unos minutos. Si vuelve a ocurrir, indique a los operadores de este servicio este identificador de solicitud: {requestId}',
    },
  },
  again: 'Ir al formulario',
  continue: 'Continuar',
};
