import type { InviteTexts } from './texts.js';

export const es: InviteTexts = {
  title: 'Invitación a {account}',
  heading: 'Tienes una invitación a {account}',
  lead: '{inviter} te invita a ser miembro de esta cuenta.',
  leadWithoutInviter: 'Te han invitado a ser miembro de esta cuenta.',
  address: 'Dirección invitada',
  role: 'Tu rol',
  validUntil: 'Válida hasta',
  roles: {
    owner: {
      name: 'Propietario',
      description: 'Puedes hacerlo todo, incluso lo reservado a los propietarios, como cerrar la cuenta.',
    },
    admin: { name: 'Administrador', description: 'Puedes hacerlo todo, salvo lo reservado a los propietarios.' },
    developer: {
      name: 'Desarrollador',
      description:
        'Puedes verlo todo y modificar el acceso, el correo, los SMS, las audiencias, las claves y los webhooks.',
    },
    viewer: { name: 'Observador', description: 'Puedes verlo todo, sin modificar nada.' },
  },
  next: {
    heading: 'Siguiente paso',
    unavailable:
      'El inicio de sesión no está activado en esta instalación, por lo que la invitación no se puede aceptar aquí. Contacta con la persona que te invitó.',
  },
  accept: {
    heading: 'Aceptar la invitación',
    start: 'Para aceptar, confirma que {email} es tu dirección: te enviamos un código.',
    sendCode: 'Enviar el código',
    sendAgain: 'Enviar otro código',
    sent: 'Hemos enviado un código a {email}. Es válido durante diez minutos.',
    code: 'Código del correo',
    second: 'Tu cuenta está protegida por un segundo factor.',
    secondCode: 'Código de tu aplicación de autenticación o un código de recuperación',
    button: 'Aceptar la invitación',
    signIn: 'Inicia sesión como {email} para aceptar la invitación.',
    signInButton: 'Iniciar sesión',
    doneHeading: 'Ya eres miembro',
    done: 'Te has unido a {account}. En la línea de comandos, inicia sesión con:',
    mistakes: {
      wrongCode: 'Ese código no es correcto. Compruébalo e inténtalo de nuevo.',
      codeEnded: 'Ese código ya no se puede usar. Pide que te enviemos otro.',
    },
  },
  problems: {
    unknown: {
      heading: 'Invitación no encontrada',
      explanation: 'El enlace está incompleto, o esta invitación nunca existió.',
      next: 'Abre de nuevo el enlace del correo y comprueba que está completo. Si no basta, pide otro a la persona que te invitó.',
    },
    expired: {
      heading: 'Esta invitación ha caducado',
      explanation: 'El enlace solo era válido por un tiempo limitado.',
      next: 'Pide a la persona que te invitó que lo haga de nuevo: recibirás otro enlace.',
    },
    revoked: {
      heading: 'Esta invitación se ha retirado',
      explanation: 'El enlace ya no funciona.',
      next: 'Si crees que es un error, pide una nueva invitación a un propietario o administrador de la cuenta.',
    },
    accepted: {
      heading: 'Esta invitación ya se ha aceptado',
      explanation: 'Una invitación solo puede aceptarse una vez.',
      next: 'Inicia sesión con la dirección invitada para abrir la cuenta.',
    },
    limited: {
      heading: 'Demasiados intentos',
      explanation: 'Ha habido muchos intentos desde tu red en poco tiempo.',
      next: 'Tu invitación sigue siendo válida: abre de nuevo el enlace dentro de una hora como máximo.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      explanation: 'Algo ha fallado por nuestra parte. Tu invitación no se ve afectada.',
      next: 'Inténtalo de nuevo en unos minutos. Si vuelve a ocurrir, da este número a quienes administran el servicio: {requestId}',
    },
  },
};
