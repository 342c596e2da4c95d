/**
 * Sign-in by email.
 *
 * 1. If the address has an account, a device that it has not approved gets an emailed link first (VERIFY_DEVICE). The
 *    button behind the link approves the device and sends the six-digit code. A known device gets the code at once
 *    (VERIFY_OTP).
 * 2. Without an account no other device can take anything, so the code comes at once (VERIFY_OTP). It only creates an
 *    account: it does not open one made meanwhile (CODE_EXPIRED).
 * 3. Opening the link changes nothing, because mail scanners open links. Approval is a POST, and works once.
 * 4. Requests for one address on one device count together: an older link still approves, a newer code replaces the
 *    older. A repeated request loses no progress.
 * 5. A code is accepted only from the device and the project that requested it.
 * 6. A try at a code takes from its device, the address, caller and project, all at once or none: a locked-out device
 *    affects no other, and a try that another limit refuses costs the device nothing. A try at an invalid code takes
 *    from its device alone.
 * 7. "This was not me" deletes all flows of the address and the device: neither link nor code works any more.
 * 8. Tries of a device run one by one, and a device that a limit refused is turned away from memory: ten thousand
 *    tries, at once or not, cost the database a few queries.
 * 9. The answer of `begin` tells whether the address has an account, and emails its owner. No refusal tells it.
 * 10. The former address of a changed account makes no account while it can undo the change (EMAIL_ON_HOLD). While the
 *     account is frozen, it signs in to restore it (`address-changes.ts`).
 * 11. Before an email the caller may have to solve a challenge (`challenges.ts`).
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
