/** The address of the console: `/console`, below the prefix of the services. */
const base = new URL(document.baseURI);

/** The console's path without its trailing slash, e.g. `/console`. */
export const consolePath = base.pathname.replace(/\/$/, '');

/** The services' address without a trailing slash. */
export const servicesUrl = new URL('..', base).href.replace(/\/$/, '');
