import { type WalletApiCall, walletApi } from '@postern/protocol'
import type { Operation } from '../platform/http/operation'

const walletCalls: Readonly<Record<WalletApiCall, string>> = {
  email: 'Begins a sign-in by email',
  emailChallenge: 'Work to do before an email is sent',
  emailDevice: 'Waits until the mailed link was followed',
  emailVerify: 'Signs in with the mailed code',
  providerChallenge: 'Work to do before a sign-in at a provider',
  social: 'Begins a sign-in at a social provider',
  socialClaim: 'Waits for the sign-in at the provider, and takes it',
  farcaster: 'Begins a sign-in with Farcaster',
  farcasterClaim: 'Waits for the sign-in with Farcaster, and takes it',
  session: 'Who is signed in',
  identityToken: "A token about the user for the dapp's server; with who signed in, if the user agreed in the wallet",
  signOut: 'Ends the session',
  confirm: 'Mails a code for what a session alone does not allow',
  emailChange: 'Begins a change of the address',
  emailChangePrimary: 'Proves the old address',
  emailChangeSecondary: 'Proves the new address, and takes it',
  wallet: 'The wallet, its recovery and its devices',
  createWallet: 'Hands in the first shares',
  replaceWallet: 'Moves the user to a new wallet, with its first shares',
  deletePrevious: 'Deletes the shares of the previous wallet',
  putDevice: "Hands in this device's own shares",
  proveAddresses: "Hands in the proof of the wallet's addresses",
  deviceShare: "This device's auth share",
  recover: 'Two shares for a device that has none',
  seeRecoveries: 'The user has seen the recoveries on other devices',
  setRecovery: 'Changes the recovery',
  confirmExport: 'Spends the code that allows the keys to be shown',
  revokeDevice: 'Removes a device',
  deleteAccount: 'Deletes the account and all that belongs to it',
}

export const walletOperations: readonly Operation[] = Object.entries(walletApi).map(
  ([call, { path, session, body, answer }]): Operation => {
    const summary = new Map(Object.entries(walletCalls)).get(call) ?? call
    return { method: 'post', path, summary, caller: 'project', site: 'wallet', session, body, response: answer }
  },
)
