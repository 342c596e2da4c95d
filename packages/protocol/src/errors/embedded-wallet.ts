import type { ErrorTexts } from './entry'

export const embeddedWalletErrors = {
  INVALID_EMAIL: { message: 'Invalid email', wayOut: 'Write the whole address, such as name@example.com.' },
  WRONG_CODE: { message: 'The code is not right', wayOut: 'Type the six digits of the newest mail.' },
  CODE_EXPIRED: { message: 'The code has expired', wayOut: 'Ask for a new code.' },
  CODE_SPENT: {
    message: 'The code was used already, or a newer one was sent',
    wayOut: 'Ask for a new code, or use the newest mail.',
  },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts', wayOut: 'Wait a while, then ask for a new code.' },
  MAIL_FAILED: { message: 'The mail could not be sent', wayOut: 'Check the address and try again in a moment.' },
  WALLET_SERVICE_UNREACHABLE: {
    message: 'The wallet’s service cannot be reached',
    wayOut: 'Check the connection, then try again.',
  },
  DEVICE_REVOKED: { message: 'This device was removed from the wallet', wayOut: 'Sign in again to add it anew.' },
  CONSENT_DENIED: { message: 'The sign-in was declined', wayOut: 'Nothing is broken: try again, or take another way.' },
  STORAGE_DENIED: {
    message: 'Your browser allowed no storage here',
    wayOut: 'Keep the wallet in its own window, or sign in again on the next visit.',
  },
  PROVIDER_FAILED: {
    message: 'The sign-in service did not answer',
    wayOut: 'Try again in a moment, or take another way.',
  },
  STATE_MISMATCH: {
    message: 'The sign-in was not begun here',
    wayOut: 'Start again from this window, and do not follow links of others.',
  },
  WINDOW_CLOSED: { message: 'The window was closed', wayOut: 'Open it again and finish there.' },
  SIGN_IN_AGAIN: {
    message: 'Sign in again to do this',
    wayOut: 'This needs a fresh sign-in: sign out, and in again.',
  },
  WALLET_LOCKED: {
    message: 'The wallet is locked on this device',
    wayOut: 'Unlock it with the passkey or passphrase that protects it.',
  },
  WALLET_KEY_MISMATCH: {
    message: 'The parts of the key do not fit together',
    wayOut: 'Sign out and in again: the wallet is found anew by its recovery.',
  },
  WALLET_NOT_REPORTED: {
    message:
      'The wallet service does not report your wallet, but its key is still on this device. Nothing is lost. Try again later, or contact the operator.',
    wayOut:
      'The service is faulty, or lost data. The wallet creates no other one in its place. Do not clear this site’s data.',
  },
  WALLET_ADDRESSES_CHANGED: {
    message:
      'The wallet service reports other addresses than the wallet on this device. Nothing is lost, and they are not shown. Try again later, or contact the operator.',
    wayOut:
      'The service is faulty, or its data was changed. Send nothing to the other addresses. Do not clear this site’s data; export the wallet from this device if you can.',
  },
  WALLET_ROLLED_BACK: {
    message:
      'The wallet service returned an older state of your wallet. Nothing is lost or changed on this device. Try again later, or contact the operator.',
    wayOut:
      'The service probably restored a backup from before your last choice of a recovery method. Do not clear this site’s data; export the wallet from this device if you can.',
  },
  WALLET_ADDRESSES_UNPROVEN: {
    message:
      'The wallet service cannot prove that these addresses are yours, so they are not shown. Nothing is lost. Open the wallet on a device that you used before, then try again here.',
    wayOut: 'Sign something there once: that device hands in the proof. If it fails again, contact the operator.',
  },
  LAST_DEVICE: {
    message: 'The last device cannot be removed',
    wayOut: 'Add another device first: the wallet would be lost with this one.',
  },
  EMAIL_TAKEN: { message: 'This address cannot be used', wayOut: 'Use another address.' },
  DOMAIN_MISMATCH: {
    message: 'The sign-in message is for another domain',
    wayOut: 'Nothing was signed. Somebody may be trying to sign in elsewhere in your name.',
  },
  BUNDLER_UNAVAILABLE: {
    message: 'Smart accounts are not available on this network now',
    wayOut: 'Try again in a moment, or use the plain account.',
  },
  TRANSACTION_REVERTED: {
    message: 'The transaction was reverted',
    wayOut: 'The fee is spent and nothing else changed. Look at the explorer for the reason.',
  },
  TRANSACTION_REPLACED: {
    message: 'The transaction was replaced',
    wayOut: 'Another transaction of the same account took its place: look at the explorer.',
  },
  TRANSACTION_UNCONFIRMED: {
    message: 'The transaction is not confirmed yet',
    rpc: -32002,
    wayOut:
      'It may still go through. Look it up by `data.sentHash`, or by `data.callsId` with `wallet_getCallsStatus`, before you send it again.',
  },
  TRANSACTION_DROPPED: {
    message: 'The network did not take the transaction in time',
    wayOut: 'Nothing was sent, and the network takes it no more: send it again.',
  },
} as const satisfies ErrorTexts
