import { type PreviousWallet, type RecoveryMethod, SentHash, type ThemeMode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { EmailSignIn } from '../account/email'
import { type Gateway, GatewayError } from '../account/gateway'
import type { Session } from '../account/session'
import { createShareUser } from '../account/share-user'
import type { SocialSignIn } from '../account/social'
import { describeUser, evmChainId, type UserOptions } from '../account/user'
import type { Accounts } from '../signing/accounts'
import type { Approvals } from '../signing/approvals'
import type { Networks } from '../signing/networks'
import type { Rpc } from '../signing/rpc'
import type { Ladder } from '../storage/ladder'
import type { Wallet } from '../wallet'
import type { StoredSession } from '../window-messages'
import type { DappOrigin } from './ancestors/origin'
import type { ApprovalScreen } from './approvals/approval-screen'
import type { CodeScreen } from './codes/code-screen'
import type { DeletionWindow } from './codes/deletion-window'
import type { EmailWindow } from './codes/email-window'
import type { Handlers } from './serve'
import type { WindowLink } from './window/window-link'

export type DappData = {
  readonly smartSessions?: boolean | undefined
  readonly showsUnprepared?: boolean | undefined
}

export type HandlerOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly email: EmailSignIn
  readonly emailWindow: EmailWindow
  readonly deletionWindow: DeletionWindow
  readonly social: SocialSignIn
  readonly wallet: Wallet
  readonly previous: Wallet
  readonly describePrevious: (signal: AbortSignal) => Promise<PreviousWallet | null>
  readonly networks: Networks
  readonly accounts: Accounts
  readonly approvals: Approvals
  readonly screen: ApprovalScreen
  readonly codes: CodeScreen
  readonly rpc: Rpc
  readonly windows: WindowLink
  readonly origin: DappOrigin
  readonly user: UserOptions
  readonly smartAccountChainIds: readonly number[]
  readonly setThemeMode: (mode: ThemeMode | undefined) => void
  readonly setDappData: (data: DappData) => void
  readonly reload: () => void
}

/** The names of interop §1, and additional ones. */
export function createHandlers(options: HandlerOptions): Handlers {
  return {
    ...signInHandlers(options),
    ...sessionHandlers(options),
    ...networkHandlers(options),
    ...requestHandlers(options),
    ...securityHandlers(options),
    ...modalHandlers(options),
  }
}

function signInHandlers(options: HandlerOptions) {
  const { email, social, codes } = options
  return {
    async CONNECT_EMAIL({ email: address }, { signal }) {
      social.reset()
      return email.connect(address, signal)
    },
    async CONNECT_DEVICE(_, { signal }) {
      await email.awaitDevice(signal)
      return undefined
    },
    async CONNECT_OTP(_, context) {
      const flow = await email.flow()
      const purpose = { kind: 'signIn', email: flow.email } as const
      await codes.ask(purpose, context, (code, signal) => flow.verify(code ?? '', signal))
      return undefined
    },
    async GET_EMAIL_SIGN_IN() {
      return email.waiting()
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }, { signal }) => social.begin(provider, signal),
    async CONNECT_SOCIAL({ uri, chainId, preferredAccountType }, { signal }) {
      await social.connect(uri, signal)
      await selectNetwork(options, chainId)
      if (preferredAccountType !== undefined) await preferWherePossible(options, preferredAccountType)
      return describeUser(options.user, signal)
    },
    async SOCIAL_CODE(_, context) {
      const flow = social.flow()
      const purpose = { kind: 'social', provider: flow.provider } as const
      await codes.ask(purpose, context, (code) => flow.takeCode(code ?? ''))
      return undefined
    },
    GET_FARCASTER_URI: (_, { signal }) => social.beginFarcaster(signal),
    async CONNECT_FARCASTER(_, { signal }) {
      return social.connectFarcaster(signal)
    },
  } satisfies Partial<Handlers>
}

function sessionHandlers(options: HandlerOptions) {
  const { session, email, emailWindow, social, codes, origin, screen } = options
  const shareUser = createShareUser({ ...options, origin: origin.get, onSettled: screen.settled })
  return {
    async IS_CONNECTED(payload) {
      return { isConnected: await session.isConnected(payload?.token) }
    },
    async GET_IDENTITY_TOKEN({ namespaces }, { signal }) {
      const signedIn = await session.current()
      if (signedIn === null) throw new Failure('UNAUTHORIZED')
      return options.gateway.call('identityToken', { namespaces }, { session: signedIn, signal })
    },
    SHARE_USER: ({ namespaces }, context) => shareUser(namespaces, context),
    async GET_USER(payload, { signal }) {
      if (typeof payload?.socialUri === 'string' && (await session.current()) === null)
        await social.connect(payload.socialUri, signal)
      await selectNetwork(options, payload?.chainId)
      if (payload?.preferredAccountType !== undefined) await preferWherePossible(options, payload.preferredAccountType)
      return describeUser(options.user, signal)
    },
    async SIGN_OUT() {
      codes.cancel()
      email.reset()
      social.reset()
      await session.signOut()
      return undefined
    },
    UPDATE_EMAIL: ({ email: address }, { signal }) => emailWindow.begin(address, signal),
    async UPDATE_EMAIL_PRIMARY_OTP(_, context) {
      await emailWindow.primary(context)
      return undefined
    },
    UPDATE_EMAIL_SECONDARY_OTP: (_, context) => emailWindow.secondary(context),
  } satisfies Partial<Handlers>
}

function networkHandlers(options: HandlerOptions) {
  const { wallet, networks, accounts } = options

  async function smartAccount(signal: AbortSignal) {
    const { addresses } = await wallet.open()
    const networkId = await networks.current('eip155')
    const address = await accounts.smartAccount(networkId, addresses, signal)
    if (address === null) throw new Failure('CHAIN_NOT_SUPPORTED')
    return { networkId, address }
  }

  return {
    async SWITCH_NETWORK({ chainId }) {
      await selectNetwork(options, chainId)
      return { chainId }
    },
    async GET_CHAIN_ID() {
      return { chainId: evmChainId(await networks.current('eip155')) }
    },
    async GET_SMART_ACCOUNT_ENABLED_NETWORKS() {
      return { smartAccountEnabledNetworks: [...options.smartAccountChainIds] }
    },
    async INIT_SMART_ACCOUNT(_, { signal }) {
      const { networkId, address } = await smartAccount(signal)
      return { address, isDeployed: await accounts.isDeployed(networkId, address, signal) }
    },
    async SET_PREFERRED_ACCOUNT({ type }, { signal }) {
      const { addresses } = await wallet.open()
      const networkId = await networks.current('eip155')
      await accounts.prefer(networkId, type)
      const account = (await accounts.evm(networkId, addresses, signal)).find((one) => one.type === type)
      if (account === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
      return { type, address: account.address }
    },
  } satisfies Partial<Handlers>
}

function requestHandlers({ rpc, approvals, screen }: HandlerOptions) {
  return {
    RPC_REQUEST: rpc.request,
    async GET_WAITING_TRANSACTIONS(payload, context) {
      return { transactions: [...(await rpc.waiting(payload, context))] }
    },
    async REPLACE_TRANSACTION(payload, context) {
      return { hash: SentHash.parse(await rpc.replace(payload, context)) }
    },
    async SHOW_APPROVAL(payload) {
      await screen.show(payload)
      return undefined
    },
    async HIDE_APPROVAL() {
      screen.hide()
      return undefined
    },
    async REJECT(word) {
      approvals.reject(word)
      return undefined
    },
  } satisfies Partial<Handlers>
}

function securityHandlers(options: HandlerOptions) {
  const { ladder, gateway, session, wallet, windows, codes, deletionWindow } = options
  return {
    async GET_SECURITY(_, { signal }) {
      const [{ storage }, security] = await Promise.all([ladder.current(), wallet.security()])
      const previous = security.recovery === null ? null : await options.describePrevious(signal)
      const { recovery, devices, recoveries, isExposed } = security
      return { storage, recovery, devices: [...devices], recoveries: [...recoveries], isExposed, previous }
    },
    async CREATE_WALLET({ recovery }) {
      await wallet.create({ method: recovery })
      return undefined
    },
    async FORGET_ENDED_WALLET(_, context) {
      const ended = await wallet.ended()
      if (ended === null) throw new Failure('INVALID_PARAMS', { message: 'No wallet of this device has ended' })
      const { from, to, end } = ended
      const purpose = {
        kind: 'forgetEnded',
        what: end.what,
        at: end.at,
        from: from.eip155,
        to: to?.eip155 ?? null,
      } as const
      await codes.ask(purpose, context, () => wallet.forgetEnded(ended))
      return undefined
    },
    async REVOKE_DEVICE({ id }, context) {
      const by = await session.current()
      if (by === null) throw new Failure('UNAUTHORIZED')
      const { devices, recovery } = await wallet.security()
      const device = devices.find((one) => one.id === id)
      if (device === undefined) throw new Failure('INVALID_PARAMS', { message: 'The account has no such device' })
      if (device.isThis)
        throw new Failure('INVALID_PARAMS', { message: 'A device cannot remove itself: use another one' })
      const purpose = { kind: 'removeDevice', device: device.name, usedAt: device.usedAt } as const
      await codes.ask(purpose, context, (_, signal) => removeDevice(options, by, { id, recovery, signal }))
      return undefined
    },
    async SEE_RECOVERIES({ until }) {
      await gateway.call('seeRecoveries', { until })
      return undefined
    },
    async USE_GRANTED_STORAGE() {
      const storage = await ladder.raiseToGranted()
      if (storage === 'granted' && (await session.current()) !== null) await wallet.keep()
      return { storage }
    },
    async GET_WINDOW_URI({ purpose }) {
      return { uri: windows.uri(purpose) }
    },
    async AWAIT_WINDOW({ purpose }, { signal }) {
      await windows.finished(purpose, signal)
      return undefined
    },
    async DELETE_ACCOUNT(_, context) {
      await deletionWindow.ask(context)
      return undefined
    },
  } satisfies Partial<Handlers>
}

function modalHandlers(options: HandlerOptions) {
  return {
    async SYNC_THEME(look) {
      options.setThemeMode(look.themeMode)
      options.screen.setLook(look)
      return undefined
    },
    async SYNC_DAPP_DATA({ metadata, ...data }) {
      options.setDappData(data)
      if (metadata?.url !== undefined) options.origin.tell(metadata.url)
      options.screen.setDappName(metadata?.name)
      return undefined
    },
    async RELOAD() {
      options.reload()
      return undefined
    },
  } satisfies Partial<Handlers>
}

/** For a device that lately used a passkey or passphrase wallet, that wallet's key must sign. */
async function removeDevice(
  { gateway, wallet, previous }: HandlerOptions,
  by: StoredSession,
  given: { readonly id: string; readonly recovery: RecoveryMethod | null; readonly signal: AbortSignal },
): Promise<void> {
  const { id, recovery, signal } = given
  const signature = await (recovery === 'gateway' ? previous : wallet).signRemoval(by.user.id, id)
  try {
    const body = { id, ...(signature !== undefined && { signature }) }
    await gateway.call('revokeDevice', body, { signal, session: by })
  } catch (thrown) {
    const isLocked = signature === undefined && thrown instanceof GatewayError && thrown.failure === 'WALLET_IN_USE'
    throw isLocked ? new Failure('WALLET_LOCKED') : thrown
  }
}

async function selectNetwork({ networks }: HandlerOptions, chainId: string | number | undefined): Promise<void> {
  if (chainId !== undefined) await networks.select(networks.resolve(chainId))
}

async function preferWherePossible(
  { networks, accounts }: HandlerOptions,
  type: 'eoa' | 'smartAccount',
): Promise<void> {
  const networkId = await networks.current('eip155')
  if (networks.hasSmartAccounts(networkId)) await accounts.prefer(networkId, type)
}
