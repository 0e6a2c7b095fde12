import type { MailTexts } from '../kinds.js';

export const es: MailTexts = {
  code: {
    subject: '{{ code }} es su código para {{ brandName }}',
    heading: 'Su código de acceso: {{ code }}',
    body: 'Introduzca el código {{ code }} donde está iniciando sesión en {{ brandName }}. Es válido durante {{ minutes }} minutos y solo se puede usar una vez.',
    footer:
      'No dé este código a nadie; nadie de {{ brandName }} se lo pedirá. Si no ha intentado iniciar sesión, puede ignorar este correo.',
  },
  link: {
    subject: 'Inicie sesión en {{ brandName }}',
    heading: 'Inicie sesión en {{ brandName }}',
    body: 'Use el botón de abajo para iniciar sesión. El enlace es válido durante {{ minutes }} minutos y solo se puede usar una vez.',
    button: 'Iniciar sesión',
    footer: 'No reenvíe este enlace a nadie. Si no ha intentado iniciar sesión, puede ignorar este correo.',
  },
  verifyAddress: {
    subject: '{{ code }} es su código para confirmar esta dirección en {{ brandName }}',
    heading: 'Confirme su dirección: {{ code }}',
    body: 'Introduzca el código {{ code }} para añadir esta dirección a su cuenta de {{ brandName }}. Es válido durante {{ minutes }} minutos.',
    footer: 'Si no lo ha pedido, puede ignorar este correo. Sin el código, la dirección no se añadirá.',
  },
  notices: {
    password_set: {
      subject: 'Se ha establecido una contraseña',
      body: 'Se ha establecido una contraseña para su cuenta de {{ brandName }}.',
    },
    password_changed: {
      subject: 'Se ha cambiado su contraseña',
      body: 'Se ha cambiado la contraseña de su cuenta de {{ brandName }}.',
    },
    password_removed: {
      subject: 'Se ha quitado su contraseña',
      body: 'Se ha quitado la contraseña de su cuenta de {{ brandName }}.',
    },
    factor_activated: {
      subject: 'Se ha activado el inicio de sesión en dos pasos',
      body: 'Una aplicación de autenticación protege ahora su cuenta de {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Se ha sustituido su aplicación de autenticación',
      body: 'Otra aplicación de autenticación protege ahora su cuenta de {{ brandName }}. La anterior ya no funciona.',
    },
    factor_removed: {
      subject: 'Se ha desactivado el inicio de sesión en dos pasos',
      body: 'Se ha eliminado la aplicación de autenticación de su cuenta de {{ brandName }}. Iniciar sesión vuelve a requerir un solo paso.',
    },
    recovery_regenerated: {
      subject: 'Tiene nuevos códigos de recuperación',
      body: 'Se han creado nuevos códigos de recuperación para su cuenta de {{ brandName }}. Los anteriores ya no funcionan.',
    },
    recovery_used: {
      subject: 'Se ha usado un código de recuperación',
      body: 'Alguien ha iniciado sesión en su cuenta de {{ brandName }} con un código de recuperación.',
    },
    passkey_added: {
      subject: 'Se ha añadido una llave de acceso',
      body: 'Se ha añadido la llave de acceso «{{ what }}» a su cuenta de {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'Se ha quitado una llave de acceso',
      body: 'Se ha quitado la llave de acceso «{{ what }}» de su cuenta de {{ brandName }}.',
    },
    primary_changed: {
      subject: 'Se ha cambiado su dirección o número principal',
      body: 'La dirección o el número principal de su cuenta de {{ brandName }} es ahora {{ what }}.',
    },
    identity_added: {
      subject: 'Se ha añadido una forma de iniciar sesión',
      body: 'Se ha añadido {{ what }} a su cuenta de {{ brandName }} y se puede usar para iniciar sesión.',
    },
    identity_removed: {
      subject: 'Se ha quitado una forma de iniciar sesión',
      body: 'Se ha quitado {{ what }} de su cuenta de {{ brandName }}.',
    },
    new_device: {
      subject: 'Nuevo inicio de sesión en {{ brandName }}',
      body: 'Alguien ha iniciado sesión en su cuenta de {{ brandName }} desde un dispositivo que no se había usado antes: {{ what }}.',
    },
  },
  facts: 'Fecha y hora: {{ time }}\nDirección IP: {{ ip }}',
  noticeFooter:
    'Si ha sido usted, no tiene que hacer nada. Si no, inicie sesión de inmediato, cierre sesión en todos los demás dispositivos y cambie sus formas de iniciar sesión.',
  sms: '{{ code }} es su código de {{ brandName }}. No lo comparta con nadie.',
};
