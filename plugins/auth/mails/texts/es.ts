import type { MailTexts } from '../kinds.js';

export const es: MailTexts = {
  code: {
    subject: '{{ code }} es tu código para {{ brandName }}',
    heading: 'Tu código de acceso: {{ code }}',
    body: 'Introduce el código {{ code }} donde estás iniciando sesión en {{ brandName }}. Es válido durante {{ minutes }} minutos y una sola vez.',
    footer:
      'No des este código a nadie; nadie de {{ brandName }} te lo pedirá. Si no has intentado iniciar sesión, puedes ignorar este correo.',
  },
  link: {
    subject: 'Inicia sesión en {{ brandName }}',
    heading: 'Inicia sesión en {{ brandName }}',
    body: 'Usa el botón de abajo para iniciar sesión. El enlace es válido durante {{ minutes }} minutos y una sola vez.',
    button: 'Iniciar sesión',
    footer: 'No reenvíes este enlace a nadie. Si no has intentado iniciar sesión, puedes ignorar este correo.',
  },
  verifyAddress: {
    subject: '{{ code }} confirma tu dirección para {{ brandName }}',
    heading: 'Confirma tu dirección: {{ code }}',
    body: 'Introduce el código {{ code }} para añadir esta dirección a tu cuenta de {{ brandName }}. Es válido durante {{ minutes }} minutos.',
    footer: 'Si no lo has pedido, puedes ignorar este correo. La dirección no se añade sin el código.',
  },
  notices: {
    password_set: {
      subject: 'Se ha establecido una contraseña',
      body: 'Se ha establecido una contraseña para tu cuenta de {{ brandName }}.',
    },
    password_changed: {
      subject: 'Se ha cambiado tu contraseña',
      body: 'Se ha cambiado la contraseña de tu cuenta de {{ brandName }}.',
    },
    password_removed: {
      subject: 'Se ha eliminado tu contraseña',
      body: 'Se ha eliminado la contraseña de tu cuenta de {{ brandName }}.',
    },
    factor_activated: {
      subject: 'Se ha activado el acceso en dos pasos',
      body: 'Una aplicación de autenticación protege ahora tu cuenta de {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Se ha sustituido tu aplicación de autenticación',
      body: 'Otra aplicación de autenticación protege ahora tu cuenta de {{ brandName }}. La anterior ya no funciona.',
    },
    factor_removed: {
      subject: 'Se ha desactivado el acceso en dos pasos',
      body: 'Se ha eliminado la aplicación de autenticación de tu cuenta de {{ brandName }}. Iniciar sesión vuelve a requerir un solo paso.',
    },
    recovery_regenerated: {
      subject: 'Tienes nuevos códigos de recuperación',
      body: 'Se han creado nuevos códigos de recuperación para tu cuenta de {{ brandName }}. Los anteriores ya no funcionan.',
    },
    recovery_used: {
      subject: 'Se ha usado un código de recuperación',
      body: 'Alguien ha iniciado sesión en tu cuenta de {{ brandName }} con un código de recuperación.',
    },
    passkey_added: {
      subject: 'Se ha añadido una llave de acceso',
      body: 'Se ha añadido la llave de acceso «{{ what }}» a tu cuenta de {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'Se ha eliminado una llave de acceso',
      body: 'Se ha eliminado la llave de acceso «{{ what }}» de tu cuenta de {{ brandName }}.',
    },
    primary_changed: {
      subject: 'Se ha cambiado tu dirección principal',
      body: 'La dirección o el número principal de tu cuenta de {{ brandName }} es ahora {{ what }}.',
    },
    identity_added: {
      subject: 'Se ha añadido una forma de iniciar sesión',
      body: 'Se ha añadido {{ what }} a tu cuenta de {{ brandName }} y sirve para iniciar sesión.',
    },
    identity_removed: {
      subject: 'Se ha eliminado una forma de iniciar sesión',
      body: 'Se ha eliminado {{ what }} de tu cuenta de {{ brandName }}.',
    },
    new_device: {
      subject: 'Nuevo inicio de sesión en {{ brandName }}',
      body: 'Alguien ha iniciado sesión en tu cuenta de {{ brandName }} desde un dispositivo que no se había usado antes: {{ what }}.',
    },
  },
  facts: 'Hora: {{ time }}\nDirección IP: {{ ip }}',
  noticeFooter:
    'Si has sido tú, no hay nada que hacer. Si no, inicia sesión de inmediato, cierra las demás sesiones y cambia tu forma de iniciar sesión.',
  sms: '{{ code }} es tu código para {{ brandName }}. No se lo des a nadie. Válido durante {{ minutes }} minutos.',
};
