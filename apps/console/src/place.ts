/** Where the console is served: `/console`, below whatever prefix the services stand. */
const base = new URL(document.baseURI);

/** Path of the console without its last slash, e.g. `/console`. */
export const consolePath = base.pathname.replace(/\/$/, '');

/** Address of the origin of both services, without a last slash. */
export const servicesUrl = new URL('..', base).href.replace(/\/$/, '');
