import type { Nft, PreviousWallet } from '@postern/protocol'
import { testMoney } from '../../src/features/testing/test-money'
import type { EmailChangeAttempt, Embedded, HostSnapshot, SentOutcome, SignIn } from '../../src/snapshot/contract'
import type { BlockchainApi } from '../../src/snapshot/money'
import { walletSecurity } from '../../src/testing/snapshot'
import {
  allowance,
  anyItemOrder,
  approval,
  blocked,
  cancel,
  cancelWithOwnFee,
  collection,
  contractCall,
  type DrawnFixture,
  hostileToken,
  increase,
  intent,
  permit,
  send,
  sendUnsimulated,
  shareUser,
  signInMessage,
  signMessage,
  speedUp,
  swap,
  typedData,
  undecoded,
  unprepared,
  unreadData,
  unverifiedToken,
} from '../fixtures/approvals'
import { eoa, owner, signedIn, withSignIn } from '../fixtures/embedded'
import {
  closedAccount,
  futurePsbt,
  givenAway,
  instructions,
  partlyKnown,
  psbt,
  unknownParts,
} from '../fixtures/embedded-other-chains'
import { bitcoinNetwork, compass, harbor, lantern, tide } from '../fixtures/snapshots'
import { fewTokens } from '../fixtures/tokens'
import type { Story } from './story'

const longEmail = 'wilhelmina.featherstonehaugh-cholmondeley+newsletters@northern-coast-saltmarsh.example.org'

type Failed = NonNullable<SignIn['error']>
const wrong: Failed = { code: 'WRONG_CODE', message: 'Wrong code' }

function signing(signIn: SignIn, more: Partial<HostSnapshot> = {}): Story {
  const awaits =
    signIn.kind === 'email' ? /^(Check your email|E-Mail prüfen|Connect|Verbinden)$/ : /^(Google|Farcaster)$/
  return { snapshot: { ...withSignIn, signIn, ...more }, ...(signIn.step !== 'sending' && { awaits }) }
}

function email(
  step: Extract<SignIn, { kind: 'email' }>['step'],
  more: { readonly error?: Failed; readonly email?: string; readonly resendAt?: number } = {},
): SignIn {
  return { kind: 'email', email: 'ada@example.org', step, resendAt: 0, error: null, ...more }
}

function social(step: Extract<SignIn, { kind: 'social' }>['step'], error: Failed | null = null): SignIn {
  return { kind: 'social', provider: 'google', step, error }
}

function owning(changes: Partial<Embedded> = {}, more: Partial<HostSnapshot> = {}): Story {
  return { snapshot: { ...signedIn, ...more, embedded: { ...owner, ...changes } } }
}

function recoveredOn(opensAt: number | null): Story {
  const recoveries = [{ deviceId: '2', at: 1_795_000_000_000, opensAt }]
  return owning({ security: owner.security && { ...owner.security, recoveries } })
}

function inSecurity(story: Story, ...press: readonly string[]): Story {
  return { ...story, press: ['Wallet security', ...press] }
}

const hardened = (changes: Partial<NonNullable<Embedded['security']>>): Partial<Embedded> => ({
  security: owner.security && { ...owner.security, recovery: 'passphrase', ...changes },
})
const oldEvm = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const oldAccount = { address: oldEvm, to: eoa, type: 'eoa', networkIds: ['eip155:1'] } as const
const previous: PreviousWallet = {
  locked: null,
  accounts: [
    { ...oldAccount, networkIds: [...oldAccount.networkIds] },
    {
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      to: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      type: 'eoa',
      networkIds: [bitcoinNetwork.caipNetworkId],
    },
  ],
}

function movingFrom(given: PreviousWallet, api: Partial<BlockchainApi> = {}): Story {
  const heron: Nft = {
    chainId: 'eip155:1',
    contract: 'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    tokenId: '7',
    name: 'Grey Heron',
    collection: 'Saltmarsh Stones',
    description: null,
    imageUrl: null,
    attributes: [],
  }
  const isEvm = ({ chainId }: { readonly chainId?: string }) => chainId?.startsWith('eip155') !== false
  return {
    ...inSecurity(owning(hardened({ isExposed: false, previous: given })), 'Move your assets'),
    money: () =>
      testMoney({
        api: {
          balance: async (query) => ({ balances: isEvm(query) ? [...fewTokens] : [] }),
          nfts: async () => ({ nfts: [heron], next: null }),
          ...api,
        },
      }),
  }
}

function changing(step: EmailChangeAttempt['step'], error: EmailChangeAttempt['error'] = null): Story {
  return inSecurity(owning({}, { emailChange: { email: 'ada@saltmarsh.example', step, error } }), 'Change email')
}

function approving(first: DrawnFixture, ...others: readonly DrawnFixture[]): Story {
  return {
    snapshot: {
      ...signedIn,
      opening: { key: 1, view: 'ApproveTransaction' },
      approvals: [first, ...others],
    },
    ...((first.status.kind === 'waiting' || first.status.kind === 'signing') && { drawn: first }),
  }
}

const hash = `0x${'a1'.repeat(32)}`

function ended(outcome: SentOutcome, of: DrawnFixture = send): Story {
  return approving({ ...of, status: { kind: 'ended', hash, outcome } })
}

export const embeddedStories: Readonly<Record<string, Story>> = {
  'sign-in': { snapshot: { ...withSignIn, connectMethods: ['email', 'social', 'wallet'] } },
  'sign-in-wallet-first': { snapshot: { ...withSignIn, wallets: [harbor, lantern] } },
  'all-wallets-opening': {
    snapshot: { ...withSignIn, opening: { key: 1, view: 'AllWallets' }, wallets: [tide] },
    directory: 'full',
    phone: true,
  },
  'sign-in-alone': {
    snapshot: { ...withSignIn, connectMethods: ['email', 'social', 'wallet'], wallets: [], directoryCount: 0 },
  },
  'sign-in-email-alone': {
    snapshot: {
      ...withSignIn,
      connectMethods: ['email', 'social', 'wallet'],
      signInMethods: { email: true, socials: [], farcaster: false },
      wallets: [compass],
    },
  },
  'sign-in-two-socials': {
    snapshot: {
      ...withSignIn,
      connectMethods: ['email', 'social', 'wallet'],
      signInMethods: { email: true, socials: ['google', 'apple'], farcaster: false },
      wallets: [compass],
    },
  },
  'sign-in-sending': signing(email('sending')),
  'sign-in-cooldown': signing(
    email('sending', {
      resendAt: Date.now() + 24_500,
      error: { code: 'EMAIL_COOLDOWN', message: 'Please try again after 24 seconds' },
    }),
  ),
  'email-device': signing(email('device')),
  'email-device-long': signing(email('device', { email: longEmail, resendAt: Date.now() + 24_500 })),
  'email-device-failed': signing(
    email('device', { error: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts' } }),
  ),
  'email-otp': signing(email('code')),
  'email-otp-long': signing(email('code', { email: longEmail, resendAt: Date.now() + 24_500 })),
  'email-otp-wrong': signing(email('code', { error: wrong })),
  'email-otp-spent': signing(
    email('code', { error: { code: 'CODE_SPENT', message: 'This code was already used, or we sent a newer one' } }),
  ),
  opening: signing(email('opening')),
  'opening-failed': signing(
    email('opening', { error: { code: 'WALLET_KEY_MISMATCH', message: 'The parts of your key don’t match' } }),
  ),
  'opening-new': signing(email('opening'), { embedded: { ...owner, recoveryWanted: 'any' } }),
  'opening-new-hardened': signing(email('opening'), { embedded: { ...owner, recoveryWanted: 'hardened' } }),
  'wallet-ready': {
    snapshot: { ...signedIn, embedded: { ...owner, isNew: true }, opening: { key: 1, view: 'WalletReady' } },
  },
  'opening-ended': signing(email('opening'), { embedded: { ...owner, ended: 'replaced' } }),
  'opening-locked': signing(email('opening'), { embedded: { ...owner, locked: 'passkey' } }),
  social: signing(social('window')),
  'social-code': signing(social('code')),
  'social-code-gone': signing(social('code', { code: 'WINDOW_CLOSED', message: 'The window was closed' })),
  'social-denied': signing(social('window', { code: 'CONSENT_DENIED', message: 'The sign-in was declined' })),
  'social-blocked': signing(social('starting', { code: 'POPUP_BLOCKED', message: 'The browser blocked the new tab' })),
  farcaster: signing({
    kind: 'farcaster',
    step: 'waiting',
    url: 'https://farcaster.example/~/siwf?channelToken=0c6a2b7e-4c1d-4f0b-9a53-2b4d6f8e1a90',
    error: null,
  }),
  'farcaster-preparing': signing({ kind: 'farcaster', step: 'starting', error: null }),

  'owner-account': owning(),
  'owner-plain': owning({ preferred: 'eoa', email: longEmail }),
  'owner-social': owning({ provider: 'github', email: null, userName: 'ada-lovelace' }),
  'owner-returning': {
    snapshot: {
      ...signedIn,
      embedded: null,
      returningUser: { provider: 'github', userName: 'ada-lovelace', smartAccountNetworks: [1] },
    },
  },
  'owner-memory': owning({ storage: 'memory' }),
  'owner-locked': owning({ locked: 'passphrase' }),
  'owner-sign-out': { ...owning(), press: ['Sign out'] },
  'owner-types': { ...owning(), press: ['Smart account'] },
  security: inSecurity(owning()),
  'security-loading': inSecurity(owning({ security: null })),
  'security-passkey': inSecurity(
    owning({
      security: walletSecurity({ recovery: 'passkey', devices: owner.security?.devices.slice(0, 1) ?? [] }),
    }),
  ),
  'move-offer': inSecurity(owning(hardened({}))),
  'move-offer-put-off': inSecurity(owning({ ...hardened({}), isMovePutOff: true })),
  'move-previous': inSecurity(owning(hardened({ isExposed: false, previous }))),
  'move-assets': { ...movingFrom(previous), awaits: /Grey Heron/ },
  'move-assets-failed': {
    ...movingFrom(previous, { balance: () => Promise.reject(new Error('503')) }),
    awaits: /(Try again|Erneut versuchen)/,
  },
  'move-assets-locked': movingFrom({ locked: 'passphrase', accounts: [] }),
  'security-recovered': inSecurity(recoveredOn(null)),
  'owner-recovery-waiting': recoveredOn(1_795_100_000_000),
  'security-remove': inSecurity(owning(), 'Remove'),
  'update-email': inSecurity(owning(), 'Change email'),
  'update-email-primary': changing('primary'),
  'update-email-secondary': changing('secondary', wrong),
  'delete-account': inSecurity(owning(), 'Delete account'),

  'approve-send': approving(send),
  'approve-reading': approving(approval(null)),
  'approve-speed-up': approving(speedUp),
  'approve-cancel': approving(cancel),
  'approve-cancel-own-fee': approving(cancelWithOwnFee),
  'approve-unsimulated': approving(sendUnsimulated),
  'approve-swap': approving(swap),
  'approve-allowance': approving(allowance),
  'approve-collection': approving(collection),
  'approve-message': approving(signMessage, send, swap),
  'approve-sign-in': approving(signInMessage),
  'approve-who-you-are': approving(shareUser),
  'approve-blocked': approving(blocked),
  'approve-unreachable': approving(unprepared),
  'approve-typed-data': approving(typedData),
  'approve-permit': approving(permit),
  'approve-call': approving(contractCall),
  'approve-hostile-token': approving(hostileToken),
  'approve-undecoded': approving(undecoded),
  'approve-unverified-token': approving(unverifiedToken),
  'approve-any-item': approving(anyItemOrder),
  'approve-unread-data': approving(unreadData),
  'approve-increase': approving(increase),
  'approve-psbt': approving(psbt),
  'approve-psbt-future': approving(futurePsbt),
  'approve-solana': approving(instructions),
  'approve-solana-given-away': approving(givenAway),
  'approve-solana-partly': approving(partlyKnown),
  'approve-solana-unknown': approving(unknownParts),
  'approve-solana-closed': approving(closedAccount),
  'approve-elsewhere': approving({
    ...send,
    elsewhere: { place: { place: 'window', reason: 'origin' }, popup: 'closed' },
  }),
  'approve-elsewhere-blocked': approving({
    ...send,
    elsewhere: { place: { place: 'window', reason: 'value', limitUsd: 25 }, popup: 'blocked' },
  }),
  'approve-signing': approving({ ...send, status: { kind: 'signing' } }),
  'approve-sent': approving({ ...send, status: { kind: 'sent', hash } }),
  'approve-sent-bitcoin': approving({ ...psbt, status: { kind: 'sent', hash: hash.slice(2) } }),
  'approve-sent-calls': approving({ ...swap, status: { kind: 'sent', hash: null } }),
  'approve-confirmed': ended({ kind: 'confirmed' }),
  'approve-repriced': ended({ kind: 'repriced' }),
  'approve-reverted': ended({ kind: 'reverted', reason: 'ERC20: transfer amount exceeds balance' }),
  'approve-reverted-silent': ended({ kind: 'reverted', reason: null }),
  'approve-partly': ended({ kind: 'partlyReverted' }, swap),
  'approve-cancelled': ended({ kind: 'cancelled' }),
  'approve-replaced': ended({ kind: 'replaced' }),
  'approve-expired': ended({ kind: 'dropped' }, instructions),
  'approve-unknown': ended({ kind: 'unknown' }),
  'approve-failed': approving({
    ...send,
    status: { kind: 'failed', code: 'TRANSACTION_REVERTED', message: 'The transaction was reverted' },
  }),
  'approve-failed-locked': approving({
    ...approval(intent([])),
    status: { kind: 'failed', code: 'WALLET_LOCKED', message: 'The wallet is locked on this device' },
  }),
}
