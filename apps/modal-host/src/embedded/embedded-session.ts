import { followAbort } from '@postern/base/abort'
import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import {
  classifyRpcMethod,
  type FrameExit,
  type HostParams,
  limits,
  type Metadata,
  type Namespace,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { ActiveNetwork } from '../connections/active-network'
import { inOrder } from '../connections/connect/connect-attempt'
import type { Sessions } from '../connections/sessions/sessions'
import { evmChainId, isUsable } from '../connectors/embedded/accounts'
import { createEmbeddedWallet, type EmbeddedWallet } from '../connectors/embedded/index'
import { createEmbeddedStore, type EmbeddedAccountType, type EmbeddedStore } from '../connectors/embedded/stored'
import type { WalletFrameDom } from '../connectors/embedded/wallet-frame/dom'
import { type AskWallet, createWalletFrame, type WalletFrame } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { HostStorage } from '../services/storage'
import type { HostSnapshot } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import { activeNamespaceOf, leaveConnecting } from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import { type ApprovalOptions, createShownApprovals, type ShownApprovals } from './approvals'
import { createAskCode } from './ask-code'
import { createEmailChange, type EmailChange } from './email-change'
import { createEmbeddedAccount, type EmbeddedAccount } from './embedded-account'
import { createSignIn, type SignInFlow } from './sign-in'
import { createWaitingTransactions, type WaitingTransactions } from './waiting-transactions'

export type EmbeddedSession = {
  readonly signIn: SignInFlow
  readonly approvals: ShownApprovals
  readonly frame: Pick<WalletFrame, 'place' | 'focus'>
  readonly account: EmbeddedAccount
  readonly waiting: WaitingTransactions
  readonly emailChange: EmailChange
  readonly restore: EmbeddedWallet['restore']
  /** For the dapp's server: has the addresses, and, if the dapp asks and the user approves, who signed in. */
  identityToken(
    namespaces: readonly Namespace[],
    params: HostParams<'getIdentityToken'>,
    signal: AbortSignal,
  ): Promise<string>
  end(): void
}

export type EmbeddedSessionOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly modal: Modal
  readonly dependencies: {
    readonly randomId: () => string
    readonly walletFrameDom: () => Promise<WalletFrameDom>
  }
  readonly dom: WalletFrameDom
  readonly walletOrigin: string
  readonly projectId: string
  readonly storage: HostStorage
  /** Account type until the user chooses one. Undefined: the wallet's default. */
  readonly defaultAccount: EmbeddedAccountType | undefined
  readonly networks: ConfiguredNetworks
  /** Gateway endpoints only. */
  readonly clientOf: (id: ConfiguredNetworks['list'][number]['caipNetworkId']) => ChainClient
  readonly sessions: Pick<Sessions, 'adopt' | 'disconnect' | 'connector'>
  readonly active: Pick<ActiveNetwork, 'preferred'>
  /** `url` is the origin that the browser reports. */
  readonly metadata: Metadata
  readonly openTab: (url: string) => Promise<unknown>
  readonly refreshBalance: () => void
  readonly onReplaced: ApprovalOptions['onReplaced']
  readonly cancelConnect: () => void
}

export function createEmbeddedSession(options: EmbeddedSessionOptions): EmbeddedSession {
  const { store, clock, modal, networks, sessions, active, walletOrigin, projectId } = options
  const { randomId } = options.dependencies
  const stored = createEmbeddedStore(options.storage)
  const configured = store.getState().namespaces
  const ending = new AbortController()

  const frame = createWalletFrame({
    dom: options.dom,
    clock,
    randomId,
    origin: walletOrigin,
    projectId,
    chainId: () =>
      (configured.includes('eip155') ? evmChainId(active.preferred('eip155')) : undefined) ?? limits.walletChainId,
    enableLogger: limits.walletLogLevel !== 'silent',
    greet: (ask) => greetFrame(ask, options),
  })
  const { ask } = frame
  const { askCode, onNotice: onCodeNotice } = createAskCode({ store, ask, randomId })
  const wallet = createEmbeddedWallet({
    frame,
    randomId,
    networks,
    store: stored,
    preferredNetwork: active.preferred,
    checksum: async () => (await import('@postern/chains/eip155/checksum')).checksumAddress,
    onRpc(request) {
      if (classifyRpcMethod(request.method) === 'notSafe') approvals.track(request)
    },
    onUser(user) {
      if (user === null) emailChange.cancel()
      account.show(user)
    },
  })
  const approvals = createShownApprovals({
    store,
    clock,
    modal,
    ask,
    tell: frame.tell,
    clientOf: options.clientOf,
    followSent: async () => (await import('../requests/follow-sent')).followSent,
    onEnded: options.refreshBalance,
    onReplaced: options.onReplaced,
  })
  const waiting = createWaitingTransactions({ store, modal, ask, approvals, randomId })
  const connect = (signal: AbortSignal, namespaces = configured): Promise<boolean> =>
    connectWallet({ ...options, wallet, stored }, namespaces, signal)
  const signIn = createSignIn({
    store,
    clock,
    modal,
    ask,
    askCode,
    stored,
    walletOrigin,
    openTab: options.openTab,
    onBegin: options.cancelConnect,
    connect,
    onDone: () => leaveSignIn(store, modal),
    readUser: () => wallet.read(),
  })
  const account = createEmbeddedAccount({
    store,
    modal,
    ask,
    askCode,
    wallet,
    walletOrigin,
    clock,
    stored,
    signIn: () => signIn,
    async reconnect() {
      signIn.cancel()
      if (await connect(ending.signal)) return leaveSignIn(store, modal)
      // The sign-in leads to the unlocking window.
      account.show(null)
      throw new Failure('WALLET_LOCKED')
    },
    async connectMissing() {
      if (!(await connect(ending.signal, disconnectedNamespaces(store.getState())))) throw new Failure('WALLET_LOCKED')
      leaveSignIn(store, modal)
    },
    onMoved: () => connectMoved({ store, sessions, wallet }, authNamespaces),
    async onDeleted() {
      wallet.forget()
      await Promise.allSettled(authNamespaces().map((namespace) => sessions.disconnect(namespace)))
      modal.close()
    },
  })
  const emailChange = createEmailChange({
    store,
    ask,
    askCode,
    onChanged(email) {
      const user = wallet.user()
      if (user !== null) void wallet.adopt({ ...user, email })
    },
  })

  const authNamespaces = (): readonly Namespace[] =>
    configured.filter((namespace) => sessions.connector(namespace)?.type === 'AUTH')

  const stops = [
    frame.onNotice(approvals.onNotice),
    frame.onNotice(onCodeNotice),
    frame.onNotice((notice) => {
      if (notice.name === 'SOCIAL_CODE_WANTED') signIn.retryCode()
      if (notice.name === 'FRAME_LEFT') showFrameExit(store, notice.by)
    }),
    frame.onLost(approvals.drop),
    tellFrame(store, frame),
    store.subscribe(({ connectAttempt }, before) => {
      if (connectAttempt !== null && before.connectAttempt === null) signIn.cancel()
    }),
  ]
  return {
    signIn,
    approvals,
    frame,
    account,
    waiting,
    emailChange,
    restore: wallet.restore,
    async identityToken(wanted, params, signal) {
      if (params !== null) return shareUser({ ask, approvals, randomId }, wanted, signal)
      return (await ask('GET_IDENTITY_TOKEN', { namespaces: [...wanted] })).token
    },
    end() {
      for (const stop of stops) stop()
      ending.abort(new Failure('LINK_CLOSED'))
      emailChange.cancel()
      signIn.end()
      approvals.end()
      wallet.end()
      frame.end()
      account.show(null)
    },
  }
}

/** Not awaited: the next response shows whether the frame is alive. */
function greetFrame(ask: AskWallet, { store, metadata, projectId }: EmbeddedSessionOptions): void {
  const { smartSessions } = store.getState().features
  ask('SYNC_DAPP_DATA', { metadata, sdkType: 'postern', projectId, smartSessions, showsUnprepared: true }).catch(
    () => {},
  )
  ask('SYNC_THEME', themeOf(store.getState())).catch(() => {})
}

/** Shows the notice about a new wallet, or a session that ends with the page; else closes the modal. */
function leaveSignIn(store: SnapshotStore, modal: Modal): void {
  const { embedded } = store.getState()
  leaveConnecting(store, modal, embedded?.isNew ? 'newWallet' : embedded?.storage === 'memory' ? 'stay' : 'close')
}

function tellFrame(store: SnapshotStore, { tell }: Pick<WalletFrame, 'tell'>): () => void {
  return store.subscribe((snapshot, before) => {
    if (hasReadOfTimeout(snapshot, before) && losesNothing(snapshot)) tell('RELOAD', undefined)
    const { themeMode, theme, locale } = snapshot
    if (themeMode !== before.themeMode || theme !== before.theme || locale !== before.locale)
      tell('SYNC_THEME', themeOf(snapshot))
  })
}

function hasReadOfTimeout(now: HostSnapshot, before: HostSnapshot): boolean {
  return before.alert?.code === 'IFRAME_REQUEST_TIMEOUT' && now.alert === null
}

function showFrameExit(store: SnapshotStore, by: FrameExit): void {
  store.setState(({ walletFrameExit }) => ({ walletFrameExit: { key: (walletFrameExit?.key ?? 0) + 1, by } }))
}

/** A reload of the frame loses neither the only copy of a wallet nor an open request. */
function losesNothing({ embedded, approvals, codeEntry }: HostSnapshot): boolean {
  return embedded?.storage !== 'memory' && approvals.length === 0 && codeEntry === null
}

function disconnectedNamespaces({ namespaces, connections }: HostSnapshot): readonly Namespace[] {
  return namespaces.filter((namespace) => (connections[namespace]?.status ?? 'disconnected') === 'disconnected')
}

/** @returns false if the wallet is locked */
async function connectWallet(
  {
    store,
    sessions,
    defaultAccount,
    wallet,
    stored,
  }: Pick<EmbeddedSessionOptions, 'store' | 'sessions' | 'defaultAccount'> & {
    readonly wallet: EmbeddedWallet
    readonly stored: EmbeddedStore
  },
  namespaces: readonly Namespace[],
  signal: AbortSignal,
): Promise<boolean> {
  const user = await wallet.read(stored.preferredAccount() ?? defaultAccount)
  signal.throwIfAborted()
  if (user === null) throw new Failure('SESSION_EXPIRED')
  await wallet.adopt(user)
  if (!isUsable(user)) return false
  const { wantedNamespace } = store.getState()
  const granted = await wallet.grant(user, wantedNamespace === null ? namespaces : [wantedNamespace])
  signal.throwIfAborted()
  if (granted.length === 0) throw new Failure('CHAIN_NOT_SUPPORTED')
  sessions.adopt(inOrder(granted, wantedNamespace ?? activeNamespaceOf(store.getState())))
  return true
}

async function connectMoved(
  { store, sessions, wallet }: Pick<EmbeddedSessionOptions, 'store' | 'sessions'> & { readonly wallet: EmbeddedWallet },
  connectedNamespaces: () => readonly Namespace[],
): Promise<void> {
  const user = await wallet.read()
  if (user === null) throw new Failure('SESSION_EXPIRED')
  const namespaces = connectedNamespaces()
  wallet.follow(user)
  const granted = await wallet.grant(user, namespaces)
  if (granted.length > 0) sessions.adopt(inOrder(granted, activeNamespaceOf(store.getState())))
}

/** The frame asks the user, unless it remembers an approval. */
async function shareUser(
  tools: Pick<WalletFrame, 'ask'> & { readonly approvals: ShownApprovals; readonly randomId: () => string },
  namespaces: readonly Namespace[],
  outer: AbortSignal,
): Promise<string> {
  const id = tools.randomId()
  const asking = new AbortController()
  const signal = followAbort(asking, outer)
  const done = tools.ask('SHARE_USER', { namespaces: [...namespaces] }, { id, signal })
  tools.approvals.track({ id, asker: null, done, abort: (failure) => asking.abort(failure) })
  return (await done).token
}

function themeOf({ themeMode, theme, locale }: HostSnapshot) {
  const { mode: _mode, ...variables } = theme
  const set = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return { themeMode, themeVariables: Object.fromEntries(set), locale }
}
