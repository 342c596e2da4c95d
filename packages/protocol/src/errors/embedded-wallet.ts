import type { ErrorTexts } from './entry'

export const embeddedWalletErrors = {
  INVALID_EMAIL: { message: 'Invalid email' },
  WRONG_CODE: { message: 'Wrong code' },
  CODE_EXPIRED: { message: 'The code has expired' },
  CODE_SPENT: { message: 'This code was already used, or we sent a newer one' },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts' },
  EMAIL_COOLDOWN: { message: 'Please try again after {seconds} seconds' },
  MAIL_FAILED: { message: 'Couldn’t send the email' },
  WALLET_SERVICE_UNREACHABLE: { message: 'Can’t reach the wallet service' },
  DEVICE_REVOKED: { message: 'This device was removed from the wallet' },
  USER_BLOCKED: { message: 'This account is blocked' },
  CONSENT_DENIED: { message: 'The sign-in was declined' },
  STORAGE_DENIED: { message: 'Your browser blocks storage here' },
  PROVIDER_FAILED: { message: 'The sign-in service isn’t responding' },
  STATE_MISMATCH: { message: 'This sign-in wasn’t started here' },
  WINDOW_CLOSED: { message: 'The window was closed' },
  SIGN_IN_AGAIN: { message: 'Sign in again to do this' },
  WALLET_LOCKED: { message: 'The wallet is locked on this device' },
  WALLET_KEY_MISMATCH: { message: 'The parts of your key don’t match' },
  WALLET_NOT_REPORTED: {
    message:
      'The wallet service does not report your wallet, but its key is still on this device. Nothing is lost. Try again later, or contact the operator.',
  },
  WALLET_ADDRESSES_CHANGED: {
    message:
      'The wallet service reports other addresses than the wallet on this device. Nothing is lost, and they are not shown. Try again later, or contact the operator.',
  },
  WALLET_ENDED: {
    message: 'Your wallet was deleted or replaced on another device. Sign in again here to continue.',
  },
  WALLET_IN_USE: {
    message: 'Another device uses this wallet. Delete the account there, or unlock the wallet here first.',
  },
  WALLET_ROLLED_BACK: {
    message:
      'The wallet service returned an older state of your wallet. Nothing is lost or changed on this device. Try again later, or contact the operator.',
  },
  WALLET_ADDRESSES_UNPROVEN: {
    message:
      'The wallet service cannot prove that these addresses are yours, so they are not shown. Nothing is lost. Open the wallet on a device that you used before, then try again here.',
  },
  RECOVERY_WAITING: {
    message: 'For your safety, a new device has to wait. Sign in here again from {time} on to open your wallet.',
  },
  WALLET_NOT_CREATED: { message: 'Your wallet isn’t set up yet' },
  WALLET_ALREADY_CREATED: { message: 'You already have a wallet. It was set up in another tab or on another device' },
  PREVIOUS_WALLET_EXISTS: { message: 'You still have a previous wallet' },
  HARDENED_RECOVERY_REQUIRED: { message: 'This app requires a passkey or passphrase for your wallet' },
  DEVICE_CLOCK_WRONG: { message: 'Your device’s clock is wrong. Set the date and time, then sign in again' },
  LAST_DEVICE: { message: 'You can’t remove your last device' },
  EMAIL_TAKEN: { message: 'This email address can’t be used' },
  EMAIL_ON_HOLD: {
    message:
      'This account’s email address was changed lately. Our email about it says what you can do now. Otherwise try again from {time} on.',
  },
  DOMAIN_MISMATCH: { message: 'The sign-in message is for another domain' },
  BUNDLER_UNAVAILABLE: { message: 'Smart accounts aren’t available on this network right now' },
  CONTRACT_NEEDS_STANDARD_ACCOUNT: {
    message: 'A smart account can’t create contracts. Switch to your standard account, then try again',
    rpc: -32602,
  },
  TRANSACTION_REVERTED: { message: 'The transaction was reverted' },
  TRANSACTION_REPLACED: { message: 'The transaction was replaced' },
  TRANSACTION_UNCONFIRMED: { message: 'The transaction isn’t confirmed yet', rpc: -32002 },
  TRANSACTION_DROPPED: { message: 'The transaction expired' },
} as const satisfies ErrorTexts
