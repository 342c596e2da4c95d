import type { ErrorTexts } from './entry'

export const embeddedWalletErrors = {
  INVALID_EMAIL: { message: 'Invalid email', fix: 'Enter the whole address, such as name@example.com.' },
  WRONG_CODE: { message: 'Wrong code', fix: 'Enter the 6-digit code from the newest email.' },
  CODE_EXPIRED: { message: 'The code has expired', fix: 'Request a new code.' },
  CODE_SPENT: {
    message: 'This code was already used, or we sent a newer one',
    fix: 'Request a new code, or use the newest email.',
  },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts', fix: 'Wait a while, then request a new code.' },
  MAIL_FAILED: { message: 'Couldn’t send the email', fix: 'Check the address and try again in a moment.' },
  WALLET_SERVICE_UNREACHABLE: {
    message: 'Can’t reach the wallet service',
    fix: 'Check your connection and try again.',
  },
  DEVICE_REVOKED: { message: 'This device was removed from the wallet', fix: 'Sign in again to add it back.' },
  CONSENT_DENIED: { message: 'The sign-in was declined', fix: 'Try again, or sign in another way.' },
  STORAGE_DENIED: {
    message: 'Your browser blocks storage here',
    fix: 'Save the wallet in its own window, or sign in again on your next visit.',
  },
  PROVIDER_FAILED: {
    message: 'The sign-in service isn’t responding',
    fix: 'Try again in a moment, or sign in another way.',
  },
  STATE_MISMATCH: {
    message: 'This sign-in wasn’t started here',
    fix: 'Start again from this window, and don’t follow sign-in links that others send you.',
  },
  WINDOW_CLOSED: { message: 'The window was closed', fix: 'Reopen it and finish there.' },
  SIGN_IN_AGAIN: {
    message: 'Sign in again to do this',
    fix: 'This needs a recent sign-in: sign out, then sign in again.',
  },
  WALLET_LOCKED: {
    message: 'The wallet is locked on this device',
    fix: 'Unlock it with the passkey or passphrase that protects it.',
  },
  WALLET_KEY_MISMATCH: {
    message: 'The parts of your key don’t match',
    fix: 'Sign out, then sign in again to recover your wallet.',
  },
  WALLET_NOT_REPORTED: {
    message:
      'The wallet service does not report your wallet, but its key is still on this device. Nothing is lost. Try again later, or contact the operator.',
    fix: 'The service is faulty, or lost data. The wallet creates no other one in its place. Do not clear this site’s data.',
  },
  WALLET_ADDRESSES_CHANGED: {
    message:
      'The wallet service reports other addresses than the wallet on this device. Nothing is lost, and they are not shown. Try again later, or contact the operator.',
    fix: 'The service is faulty, or its data was changed. Send nothing to the other addresses. Do not clear this site’s data; export the wallet from this device if you can.',
  },
  WALLET_ENDED: {
    message: 'Your wallet was deleted or replaced on another device. Sign in again here to continue.',
    fix: 'The wallet’s own key signed that. This device still has a part of the old key: the sign-in offers to remove it.',
  },
  WALLET_IN_USE: {
    message: 'Another device uses this wallet. Delete the account there, or unlock the wallet here first.',
    fix: 'Only the wallet’s own key deletes a wallet with a passkey or passphrase. 90 days after the last use, a code is enough.',
  },
  WALLET_ROLLED_BACK: {
    message:
      'The wallet service returned an older state of your wallet. Nothing is lost or changed on this device. Try again later, or contact the operator.',
    fix: 'The service probably restored a backup from before your last choice of a recovery method. Do not clear this site’s data; export the wallet from this device if you can.',
  },
  WALLET_ADDRESSES_UNPROVEN: {
    message:
      'The wallet service cannot prove that these addresses are yours, so they are not shown. Nothing is lost. Open the wallet on a device that you used before, then try again here.',
    fix: 'Sign something there once: that device hands in the proof. If it fails again, contact the operator.',
  },
  RECOVERY_WAITING: {
    message: 'For your safety, a new device has to wait. Sign in here again from {time} on to open your wallet.',
    fix: 'Your other devices and your email were told. Wait until that time, then sign in again.',
  },
  WALLET_NOT_CREATED: {
    message: 'Your wallet isn’t set up yet',
    fix: 'Sign in again and choose how to recover it.',
  },
  WALLET_ALREADY_CREATED: {
    message: 'You already have a wallet. It was set up in another tab or on another device',
    fix: 'Sign in again to open it. Its recovery method is the one that was chosen there.',
  },
  PREVIOUS_WALLET_EXISTS: {
    message: 'You still have a previous wallet',
    fix: 'A user can have one previous wallet, and this user has one already. Wallet security shows what it still holds.',
  },
  HARDENED_RECOVERY_REQUIRED: {
    message: 'This app requires a passkey or passphrase for your wallet',
    fix: 'Choose one of them in the wallet’s own window. The project’s `recovery` setting is `hardened`.',
  },
  DEVICE_CLOCK_WRONG: {
    message: 'Your device’s clock is wrong. Set the date and time, then sign in again',
    fix: 'Nothing is lost: the account and the wallet are as they were.',
  },
  LAST_DEVICE: {
    message: 'You can’t remove your last device',
    fix: 'Add another device first. Otherwise you’d lose the wallet with this one.',
  },
  EMAIL_TAKEN: { message: 'This email address can’t be used', fix: 'Use a different one.' },
  DOMAIN_MISMATCH: {
    message: 'The sign-in message is for another domain',
    fix: 'Nothing was signed. Someone may be trying to sign in elsewhere as you.',
  },
  BUNDLER_UNAVAILABLE: {
    message: 'Smart accounts aren’t available on this network right now',
    fix: 'Try again in a moment, or use your standard account.',
  },
  CONTRACT_NEEDS_STANDARD_ACCOUNT: {
    message: 'A smart account can’t create contracts. Switch to your standard account, then try again',
    rpc: -32602,
    fix: 'The account type is in the wallet’s account view. The modal opens it.',
  },
  TRANSACTION_REVERTED: {
    message: 'The transaction was reverted',
    fix: 'You paid the fee, and nothing else changed. See the explorer for the reason.',
  },
  TRANSACTION_REPLACED: {
    message: 'The transaction was replaced',
    fix: 'Another transaction from the same account took its place. See the explorer.',
  },
  TRANSACTION_UNCONFIRMED: {
    message: 'The transaction isn’t confirmed yet',
    rpc: -32002,
    fix: 'It may still go through. Look it up by `data.sentHash`, or by `data.callsId` with `wallet_getCallsStatus`, before sending again.',
  },
  TRANSACTION_DROPPED: {
    message: 'The transaction expired',
    fix: 'The network didn’t process it in time, and nothing was spent. Send it again.',
  },
} as const satisfies ErrorTexts
