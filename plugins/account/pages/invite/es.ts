import type { InviteWords } from './words.js';

export const es: InviteWords = {
  title: 'Invitación a {account}',
  heading: 'Tienes una invitación a {account}',
  lead: '{person} te invita a ser miembro de esta cuenta.',
  leadWithoutPerson: 'Te invitan a ser miembro de esta cuenta.',
  address: 'Dirección invitada',
  role: 'Tu rol',
  until: 'Válida hasta',
  roles: {
    owner: {
      name: 'Propietario',
      may: 'Puedes hacerlo todo, incluso lo reservado a los propietarios, como cerrar la cuenta.',
    },
    admin: { name: 'Administrador', may: 'Puedes hacerlo todo, salvo lo reservado a los propietarios.' },
    developer: {
      name: 'Desarrollador',
      may: 'Puedes verlo todo y modificar el acceso, el correo, los SMS, las audiencias, las claves y los webhooks.',
    },
    viewer: { name: 'Observador', may: 'Puedes verlo todo, sin modificar nada.' },
  },
  next: {
    heading: 'Cómo continuar',
    signIn: 'Inicia sesión en el panel con {email} para aceptar la invitación.',
    ask: 'El inicio de sesión en el panel aún no forma parte de esta instalación, por lo que la invitación no se puede aceptar aquí. Pregunta a la persona que te invitó cómo continuar.',
  },
  troubles: {
    unknown: {
      heading: 'No conocemos esta invitación',
      said: 'El enlace está incompleto, o esta invitación nunca existió.',
      next: 'Abre de nuevo el enlace del correo y comprueba que está completo. Si no basta, pide otro a la persona que te invitó.',
    },
    expired: {
      heading: 'Esta invitación ha caducado',
      said: 'Su enlace solo era válido por un tiempo limitado.',
      next: 'Pide a la persona que te invitó que lo haga de nuevo: recibirás otro enlace.',
    },
    revoked: {
      heading: 'Esta invitación se ha retirado',
      said: 'Su enlace ya no lleva a ninguna parte.',
      next: 'Si crees que es un error, pide una nueva invitación a un propietario o administrador de la cuenta.',
    },
    accepted: {
      heading: 'Esta invitación ya se ha aceptado',
      said: 'Una invitación solo puede aceptarse una vez.',
      next: 'Inicia sesión con la dirección invitada para abrir la cuenta.',
    },
    limited: {
      heading: 'Demasiados intentos',
      said: 'Desde tu red se han abierto muchas invitaciones en poco tiempo.',
      next: 'Espera diez minutos y abre de nuevo el enlace.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      said: 'Algo ha fallado por nuestra parte. Tu invitación no se ve afectada.',
      next: 'Inténtalo de nuevo en unos minutos. Si vuelve a ocurrir, da este número a quienes administran el servicio: {requestId}',
    },
  },
};
