import type { PreferencesTexts } from './texts.js';

export const es: PreferencesTexts = {
  title: 'Tus preferencias',
  heading: 'Lo que {project} puede enviarte',
  lead: 'Elige lo que quieres recibir. Tu elección vale desde que la guardas.',
  channels: {
    email: {
      legend: 'Correo electrónico',
      noTopics: 'No hay boletines entre los que elegir.',
      unsubscribe: 'Cancelar todos los boletines por correo',
      allow: 'Permitir correos de nuevo',
      reasons: {
        unsubscribe:
          'Has cancelado todos los boletines por correo. Los mensajes sin suscripción, como los recibos, te siguen llegando. Si eliges algo aquí, te suscribes de nuevo a ello.',
        complaint:
          'Marcaste uno de nuestros correos como no deseado, por eso a esta dirección solo se envían códigos de acceso y avisos de seguridad. Si eliges algo aquí, te suscribes de nuevo a ello.',
        stop: 'No se envía nada más a esta dirección.',
        bounce:
          'Los correos a esta dirección fueron devueltos, por eso no se envía nada por ahora. Tu elección se conserva. Si la dirección es correcta, avisa a {project}.',
        manual:
          '{project} solo envía a esta dirección códigos de acceso y avisos de seguridad. Tu elección se conserva. Para cambiarlo, dirígete a {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'No hay nada que elegir.',
      unsubscribe: 'Cancelar todos los boletines por SMS',
      allow: 'Permitir SMS de nuevo',
      reasons: {
        unsubscribe:
          'Has cancelado todos los boletines por SMS. Los mensajes sin suscripción, como los avisos de entrega, te siguen llegando. Si eliges algo aquí, te suscribes de nuevo a ello.',
        complaint:
          'Marcaste uno de nuestros SMS como no deseado, por eso a este número solo se envían códigos de acceso y avisos de seguridad. Si eliges algo aquí, te suscribes de nuevo a ello.',
        stop: 'Respondiste STOP, por eso no se envía ningún SMS a este número, ni siquiera códigos de acceso. Para volver a recibirlos, envía START al número que te escribió. Hasta entonces se conserva lo que elijas aquí.',
        bounce:
          'Los SMS a este número no llegaron, por eso no se envía nada por ahora. Tu elección se conserva. Si el número es correcto, avisa a {project}.',
        manual:
          '{project} solo envía a este número códigos de acceso y avisos de seguridad. Tu elección se conserva. Para cambiarlo, dirígete a {project}.',
      },
    },
  },
  noAddress:
    '{project} no tiene ninguna dirección de correo ni número de teléfono tuyos, por eso aquí no hay nada que elegir.',
  unsubscribeTopic: {
    heading: '¿No quieres más «{topic}»?',
    text: 'El mensaje que te trajo aquí formaba parte de ello.',
    button: 'Cancelar {topic}',
  },
  save: 'Guardar mi elección',
  unsubscribeAll: {
    heading: 'Cancelar todos los boletines',
    text: 'Así {project} ya no te envía boletines, tampoco los que no figuran arriba. Los mensajes sin suscripción, como los recibos y las confirmaciones, te siguen llegando. Puedes cambiar de opinión en esta página.',
    button: 'Cancelar todos los boletines',
  },
  done: {
    saved: 'Tu elección se ha guardado.',
    unsubscribedTopic: 'Ya no recibirás {topic}.',
    unsubscribed: 'La cancelación se ha guardado.',
    allowed: 'Los mensajes se permiten de nuevo.',
  },
  stale: {
    heading: 'No se ha cambiado nada',
    text: 'Lo que se puede elegir ha cambiado desde que abriste esta página. Así están las cosas ahora: elige de nuevo.',
  },
  errors: {
    invalid: {
      heading: 'Este enlace no funciona',
      text: 'Está incompleto, o ya no pertenece a nadie.',
      next: 'Abre de nuevo el enlace del mensaje y comprueba que está completo. También sirve el enlace de un mensaje más reciente.',
    },
    expired: {
      heading: 'Este enlace ha caducado',
      text: 'Solo era válido por un tiempo limitado.',
      next: 'Vuelve a donde lo encontraste y abre uno nuevo. Los enlaces de nuestros mensajes no caducan nunca.',
    },
    limited: {
      heading: 'Demasiados intentos',
      text: 'Desde tu red se han abierto o cambiado preferencias muchas veces. Ahora mismo no se ha cambiado nada.',
      next: 'Espera diez minutos y abre de nuevo el enlace.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      text: 'Algo ha fallado por nuestra parte.',
      next: 'Inténtalo de nuevo en unos minutos. Si vuelve a ocurrir, da este número a quienes administran el servicio: {requestId}',
    },
  },
};
