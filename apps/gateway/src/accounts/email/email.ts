/**
 * Sign-in by email.
 *
 * 1. If the address has an account, an unknown device first gets an emailed link (VERIFY_DEVICE). The button behind it
 *    approves the device and sends the six-digit code. A known device gets the code at once (VERIFY_OTP).
 * 2. Without an account the code comes at once. It only creates an account, and opens none made meanwhile
 *    (CODE_EXPIRED).
 * 3. Opening the link changes nothing, because mail scanners open links. Approval is a POST, and works once.
 * 4. Requests for one address on one device count together: an older link still approves, a newer code replaces the
 *    older.
 * 5. Only the device and project that requested a code can use it.
 * 6. A try takes from its device, the address, caller and project, all or none: a locked-out device affects no other. A
 *    try at an invalid code takes from its device alone.
 * 7. "This was not me" deletes all flows of the address and the device.
 * 8. Tries of a device run one by one, and memory refuses a locked-out device: ten thousand tries cost the database a
 *    few queries.
 * 9. Only the answer of `begin`, which emails the owner, tells whether the address has an account.
 * 10. The former address of a changed account makes no account while it can undo the change (EMAIL_ON_HOLD), and
 *     restores a frozen one (`address-changes.ts`).
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
