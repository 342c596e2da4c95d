import type { ErrorTexts } from './entry'

export const embeddedWalletErrors = {
  INVALID_EMAIL: { message: 'Invalid email', fix: 'Enter the full address, for example name@example.com.' },
  WRONG_CODE: { message: 'The code is not right', fix: 'Enter the six digits from the newest email.' },
  CODE_EXPIRED: { message: 'The code has expired', fix: 'Request a new code.' },
  CODE_SPENT: {
    message: 'The code was used already, or a newer one was sent',
    fix: 'Request a new code, or use the newest email.',
  },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts', fix: 'Wait a while, then request a new code.' },
  MAIL_FAILED: { message: 'The mail could not be sent', fix: 'Check the address and try again in a moment.' },
  WALLET_SERVICE_UNREACHABLE: {
    message: 'The wallet’s service cannot be reached',
    fix: 'Check the connection, then try again.',
  },
  DEVICE_REVOKED: { message: 'This device was removed from the wallet', fix: 'Sign in again to add it again.' },
  CONSENT_DENIED: { message: 'The sign-in was declined', fix: 'Try again, or sign in another way.' },
  STORAGE_DENIED: {
    message: 'Your browser allowed no storage here',
    fix: 'Keep the wallet in its own window, or sign in again on the next visit.',
  },
  PROVIDER_FAILED: {
    message: 'The sign-in service did not answer',
    fix: 'Try again in a moment, or sign in another way.',
  },
  STATE_MISMATCH: {
    message: 'The sign-in was not begun here',
    fix: 'Start again from this window. Do not use sign-in links from other people.',
  },
  WINDOW_CLOSED: { message: 'The window was closed', fix: 'Open it again and finish the step there.' },
  SIGN_IN_AGAIN: {
    message: 'Sign in again to do this',
    fix: 'Sign out, then sign in again.',
  },
  WALLET_LOCKED: {
    message: 'The wallet is locked on this device',
    fix: 'Unlock it with the passkey or passphrase that protects it.',
  },
  WALLET_KEY_MISMATCH: {
    message: 'The parts of the key do not fit together',
    fix: 'Sign out, then sign in again to recover the wallet.',
  },
  LAST_DEVICE: {
    message: 'The last device cannot be removed',
    fix: 'Add another device first. Without a device, the wallet would be lost.',
  },
  EMAIL_TAKEN: { message: 'This address cannot be used', fix: 'Use another address.' },
  DOMAIN_MISMATCH: {
    message: 'The sign-in message is for another domain',
    fix: 'Nothing was signed. Another site may be trying to sign in as you.',
  },
  BUNDLER_UNAVAILABLE: {
    message: 'Smart accounts are not available on this network now',
    fix: 'Try again in a moment, or use the plain account.',
  },
  TRANSACTION_REVERTED: {
    message: 'The transaction was reverted',
    fix: 'The fee is spent and nothing else changed. The block explorer shows the reason.',
  },
  TRANSACTION_REPLACED: {
    message: 'The transaction was replaced',
    fix: 'Another transaction of the same account replaced it. Check the block explorer.',
  },
  TRANSACTION_UNCONFIRMED: {
    message: 'The transaction is not confirmed yet',
    rpc: -32002,
    fix: 'It may still be confirmed. Before you send it again, look it up by `data.sentHash`, or by `data.callsId` with `wallet_getCallsStatus`.',
  },
  TRANSACTION_DROPPED: {
    message: 'The network did not take the transaction in time',
    fix: 'Nothing was sent, and the network no longer accepts this transaction. Send it again.',
  },
} as const satisfies ErrorTexts
