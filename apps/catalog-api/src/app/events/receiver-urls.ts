import { Injectable } from '@nestjs/common';
import { InvalidInputError } from '@rdc/errors';
import { EventsSettings } from './events.settings.js';
import { ReceiverAddresses, RefusedAddressError } from './receiver-address.js';

/** The rules for the URLs of receivers. The address of a name is checked when an event is sent. */
@Injectable()
export class ReceiverUrls {
  private readonly addresses: ReceiverAddresses;
  private readonly allowsHttp: boolean;

  constructor({ EVENT_ALLOWED_ADDRESSES }: EventsSettings) {
    this.addresses = new ReceiverAddresses(EVENT_ALLOWED_ADDRESSES);
    this.allowsHttp = EVENT_ALLOWED_ADDRESSES.length > 0;
  }

  /** Checks a URL. @throws InvalidInputError if the catalog must not send to the URL */
  check(text: string): void {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !['https:', 'http:'].includes(url.protocol)) throw refused('must be an https:// URL');
    if (url.protocol === 'http:' && !this.allowsHttp) {
      throw refused('must be an https:// URL; http:// needs an entry in EVENT_ALLOWED_ADDRESSES');
    }
    if (url.username !== '' || url.password !== '' || url.hash !== '') {
      throw refused('must be a URL without user name, password and fragment; the signature identifies the catalog');
    }
    try {
      this.addresses.check(url);
    } catch (error) {
      if (error instanceof RefusedAddressError) throw refused(`must be an address that is allowed: ${error.message}`);
      throw error;
    }
  }
}

function refused(problem: string): InvalidInputError {
  return new InvalidInputError([{ field: 'url', problem }]);
}
