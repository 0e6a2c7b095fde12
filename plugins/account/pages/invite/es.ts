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
    signIn: 'Inicia sesión en el panel con {email} para aceptar la invitación.',
    unavailable:
      'El inicio de sesión en el panel aún no está disponible en esta instalación, por lo que la invitación no se puede aceptar aquí. Contacta con la persona que te invitó.',
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
      explanation: 'Desde tu red se han abierto muchas invitaciones en poco tiempo.',
      next: 'Espera diez minutos y abre de nuevo el enlace.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      explanation: 'Algo ha fallado por nuestra parte. Tu invitación no se ve afectada.',
      next: 'Inténtalo de nuevo en unos minutos. Si vuelve a ocurrir, da este número a quienes administran el servicio: {requestId}',
    },
  },
};
