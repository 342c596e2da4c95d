/**
 * Sign-in by email.
 *
 * 1. If the address has an account, an unknown device gets an emailed link first (VERIFY_DEVICE); the button behind it
 *    sends the six-digit code. Other devices get the code at once (VERIFY_OTP).
 * 2. A code without a link only creates an account: it opens none made meanwhile (CODE_EXPIRED).
 * 3. Only the button approves, once, because mail scanners open links.
 * 4. Requests for one address on one device count together: an older link still approves, a newer code replaces the
 *    older.
 * 5. Only the device and project that requested a code can use it.
 * 6. A try takes from device, address, caller and project, all or none: a locked-out device affects no other. At an
 *    invalid code it takes from the device alone.
 * 7. "This was not me" deletes all flows of the address and device.
 * 8. Tries of a device run one by one, and memory refuses a locked-out device: ten thousand cost a few queries.
 * 9. Only an answer that emails the owner tells whether the address has an account.
 * 10. Former addresses: `address-changes.ts` (EMAIL_ON_HOLD).
 * 11. An email may need a solved challenge (`challenges.ts`).
 */
import { createDeviceLinks, type DeviceLinks } from './device-links'
import type { EmailFlows } from './email-flows'
import { createSignInRequests, type SignInRequests } from './sign-in-requests'
import { createSignInTries, type SignInTries } from './sign-in-tries'

export type EmailSignIn = SignInRequests & DeviceLinks & SignInTries & { sweep(): Promise<void> }

export function createEmailSignIn(
  options: Parameters<typeof createSignInRequests>[0] &
    Parameters<typeof createDeviceLinks>[0] &
    Parameters<typeof createSignInTries>[0] & { readonly flows: Pick<EmailFlows, 'sweep'> },
): EmailSignIn {
  return {
    ...createSignInRequests(options),
    ...createDeviceLinks(options),
    ...createSignInTries(options),
    sweep: options.flows.sweep,
  }
}
