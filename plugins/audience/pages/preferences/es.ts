import type { PreferencesTexts } from './texts.js';

export const es: PreferencesTexts = {
  title: 'Sus preferencias',
  heading: 'Lo que {project} puede enviarle',
  lead: 'Elija lo que quiere recibir. Su elección se aplica en cuanto la guarda.',
  channels: {
    email: {
      legend: 'Correo electrónico',
      noTopics: 'No hay boletines entre los que elegir.',
      unsubscribe: 'Darse de baja de todos los boletines por correo',
      allow: 'Permitir correos de nuevo',
      reasons: {
        unsubscribe:
          'Se ha dado de baja de todos los boletines por correo. Los demás mensajes, como los recibos, le siguen llegando. Lo que elija aquí volverá a recibirlo.',
        complaint:
          'Marcó uno de nuestros correos como no deseado, por eso a esta dirección solo se envían códigos de acceso y avisos de seguridad. Si elige algo aquí, se suscribe de nuevo a ello.',
        stop: 'No se envía nada más a esta dirección.',
        bounce:
          'Los correos a esta dirección fueron devueltos, por eso no se envía nada por ahora. Su elección se conserva. Si la dirección es correcta, avise a {project}.',
        manual:
          '{project} solo envía a esta dirección códigos de acceso y avisos de seguridad. Su elección se conserva. Para cambiarlo, diríjase a {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'No hay nada que elegir.',
      unsubscribe: 'Darse de baja de todos los boletines por SMS',
      allow: 'Permitir SMS de nuevo',
      reasons: {
        unsubscribe:
          'Se ha dado de baja de todos los boletines por SMS. Los demás mensajes, como los avisos de entrega, le siguen llegando. Lo que elija aquí volverá a recibirlo.',
        complaint:
          'Marcó uno de nuestros SMS como no deseado, por eso a este número solo se envían códigos de acceso y avisos de seguridad. Si elige algo aquí, se suscribe de nuevo a ello.',
        stop: 'Respondió STOP, por eso no se envía ningún SMS a este número, ni siquiera códigos de acceso. Para volver a recibirlos, envíe START al número que le escribió. Hasta entonces se conserva lo que elija aquí.',
        bounce:
          'Los SMS a este número no llegaron, por eso no se envía nada por ahora. Su elección se conserva. Si el número es correcto, avise a {project}.',
        manual:
          '{project} solo envía a este número códigos de acceso y avisos de seguridad. Su elección se conserva. Para cambiarlo, diríjase a {project}.',
      },
    },
  },
  noAddress:
    '{project} no tiene ninguna dirección de correo ni número de teléfono suyos, por eso aquí no hay nada que elegir.',
  unsubscribeTopic: {
    heading: '¿Ya no quiere recibir «{topic}»?',
    text: 'El mensaje que contenía este enlace era de este tema.',
    button: 'Darse de baja de «{topic}»',
  },
  save: 'Guardar mi elección',
  unsubscribeAll: {
    heading: 'Darse de baja de todos los boletines',
    text: '{project} dejará de enviarle boletines, incluidos los que no figuran arriba. Los demás mensajes, como los recibos y las confirmaciones, le seguirán llegando. Puede cambiar de opinión en cualquier momento en esta página.',
    button: 'Darse de baja de todos los boletines',
  },
  done: {
    saved: 'Su elección se ha guardado.',
    unsubscribedTopic: 'Ya no recibirá «{topic}».',
    unsubscribed: 'Su baja se ha registrado.',
    allowed: 'Los mensajes vuelven a estar permitidos.',
  },
  stale: {
    heading: 'No se ha cambiado nada',
    text: 'Las opciones han cambiado desde que abrió esta página. Estas son las actuales: elija de nuevo.',
  },
  errors: {
    invalid: {
      heading: 'Este enlace no funciona',
      text: 'Está incompleto o ya no es válido.',
      next: 'Abra de nuevo el enlace del mensaje y compruebe que está completo. También sirve el enlace de un mensaje más reciente.',
    },
    expired: {
      heading: 'Este enlace ha caducado',
      text: 'Solo era válido por un tiempo limitado.',
      next: 'Vuelva a donde lo encontró y abra uno nuevo. Los enlaces de nuestros mensajes no caducan nunca.',
    },
    limited: {
      heading: 'Demasiados intentos',
      text: 'Desde su red se han abierto o cambiado preferencias demasiadas veces. Esta vez no se ha cambiado nada.',
      next: 'Espere diez minutos y abra de nuevo el enlace.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      text: 'Algo ha fallado por nuestra parte.',
      next: '(same as above)',
    },
  },
};
