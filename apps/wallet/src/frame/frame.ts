import { followAbort } from '@postern/base/abort'
import { type Clock, deadline } from '@postern/base/clock'
import {
  type ApprovalRequest,
  builtInNetworks,
  namespaceOf,
  type ThemeMode,
  type WalletFrameNotice,
  type WalletFramePage,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { WalletNamespace } from '@postern/protocol/namespaces'
import { createDpop } from '../account/dpop'
import { createEmailSignIn } from '../account/email'
import { createGateway, type Gateway } from '../account/gateway'
import { describePrevious } from '../account/previous'
import { createSession, type Session } from '../account/session'
import { createSessionFetch } from '../account/session-fetch'
import { createSocialSignIn } from '../account/social'
import type { SolveChallenge } from '../account/with-challenge'
import { createDescribeRequest, createFactsOf, type DescribeRequest } from '../approval/description/describe-request'
import { createKnownAddresses } from '../approval/description/known-addresses'
import type * as worth from '../approval/place/worth'
import type { SmartAccounts, WalletChain } from '../contract'
import { toFailure as asCatalogued } from '../failures'
import type { DescribeApproval, Intent } from '../intent/intent'
import { previousWallet } from '../previous-wallet'
import { createAccounts, type Reach } from '../signing/accounts'
import { createApprovals } from '../signing/approvals'
import { createNetworks } from '../signing/networks'
import { createRpc } from '../signing/rpc'
import { createSigner, type RunningSigner } from '../signing/signer'
import type { Ladder } from '../storage/ladder'
import type { Tabs } from '../storage/tabs'
import { createWallet } from '../wallet'
import type { FramePurpose } from '../window-messages'
import type { DappOrigin } from './ancestors/origin'
import { createApprovalPlaces } from './approvals/approval-places'
import { type ApprovalScreenOptions, createApprovalScreen } from './approvals/approval-screen'
import { createFrameSpending } from './approvals/spending'
import type { TextSize } from './approvals/text-size'
import { createCodeScreen } from './codes/code-screen'
import { createDeletionWindow } from './codes/deletion-window'
import { createEmailWindow } from './codes/email-window'
import { createHandlers, type DappData } from './handlers'
import { serve } from './serve'
import { createOwnWindow, type Popup } from './window/own-window'
import { createWindowLink, type WindowLinkOptions } from './window/window-link'
import { createWindowService } from './window/window-service'

export type FrameOptions = {
  readonly page: WalletFramePage
  readonly networkId: string
  readonly origin: DappOrigin
  readonly ladder: Ladder
  readonly tabs: Tabs
  readonly clock: Clock
  readonly fetch: typeof fetch
  readonly randomSecret: () => string
  readonly window: WindowLinkOptions['window']
  readonly ownOrigin: string
  readonly version: string
  readonly deviceName: () => string
  readonly startSigner: () => Promise<RunningSigner>
  readonly solveChallenge: SolveChallenge
  readonly loadChain: (namespace: WalletNamespace) => Promise<WalletChain>
  readonly loadSmartAccounts: () => Promise<SmartAccounts>
  readonly loadBitcoinAddress: Parameters<typeof createAccounts>[0]['loadBitcoinAddress']
  readonly loadDescribe: () => Promise<DescribeApproval>
  readonly loadDrawing: ApprovalScreenOptions['loadDrawing']
  readonly loadWorth: () => Promise<Pick<typeof worth, 'dollarsOf' | 'lossOf'>>
  readonly textSize: TextSize
  /** Null if the browser blocks it. */
  readonly openPopup: (url: string) => Popup | null
  readonly reload: () => void
  /** Gets only the kind of an unexpected error. */
  readonly report: (kind: string) => void
}

const priceTimeoutMs = 3_000

export function startFrame(port: MessagePort, options: FrameOptions): () => void {
  const { page, origin, ladder, tabs, clock, fetch, randomSecret, ownOrigin, deviceName, solveChallenge } = options
  const toFailure = (thrown: unknown) => asCatalogued(thrown, options.report)
  const notify = (notice: WalletFrameNotice) => service.notify(notice)
  let themeMode: ThemeMode | undefined
  let dappData: DappData = {}

  const dpop = createDpop({ fetch, ownOrigin, clock, randomSecret })
  const gateway: Gateway = createGateway({
    dpop,
    clock,
    projectId: page.projectId,
    session: () => session.current(),
    onSessionLost: (_, token) => session.lost(token),
  })
  const approvals = createApprovals(notify, () => dappData.showsUnprepared === true)
  const signer = createSigner(options.startSigner, clock)
  const session: Session = createSession({
    ladder,
    gateway,
    tabs,
    clock,
    notify,
    // A later request waits for the same promise.
    onBegin: () => void wallet.open().catch(() => {}),
    onEnd() {
      approvals.closeAll()
      windows.close('approve')
      windows.close('email')
      deletionWindow.sessionEnded()
      wallet.close()
      previous.close()
    },
  })
  const walletOptions = { ladder, gateway, session, signer, tabs, deviceName, now: clock.now, rule: page }
  const wallet = createWallet(walletOptions)
  const previous = createWallet(previousWallet(walletOptions))
  const signIn = { ladder, gateway, session, clock, origin: origin.get, solveChallenge }
  const email = createEmailSignIn(signIn)
  const social = createSocialSignIn({ ...signIn, randomSecret, notify })
  const networks = createNetworks({ page, initial: options.networkId, ladder })
  const reach = { page, baseUrl: ownOrigin, fetch: createSessionFetch({ fetch, dpop, ownOrigin, session }) }
  const { loadSmartAccounts, loadBitcoinAddress, loadChain } = options
  const accounts = createAccounts({ ...reach, networks, ladder, loadSmartAccounts, loadBitcoinAddress })
  const known = createKnownAddresses(ladder)
  const factsOf = createFactsOf({ accounts, wallet, known, swapRouters: page.swapRouters ?? [] })
  const describe = createDescribeRequest({ ...reach, factsOf, loadDescribe: options.loadDescribe })
  const places = createApprovalPlaces({
    approvals,
    page,
    origin,
    textSize: options.textSize,
    spending: createFrameSpending({
      ladder,
      clock,
      userId: async () => (await session.current())?.user.id ?? null,
    }),
    dollarsFor: (request, limitUsd, signal) =>
      dollarsFor(request, limitUsd, signal, { ...options, ...reach, describe }),
  })
  const windowFor = (purpose: FramePurpose, onChange = () => {}) =>
    createOwnWindow({ windows: () => windows, openPopup: options.openPopup, purpose, onChange })
  const approvalWindow = windowFor('approve', () => screen.repaint())
  const screen = createApprovalScreen({
    page,
    approvals,
    places,
    window: approvalWindow,
    known,
    describe,
    userId: async () => (await wallet.open()).userId,
    notify,
    loadDrawing: options.loadDrawing,
  })
  const codes = createCodeScreen({ clock, draw: screen.drawCode, toFailure })
  const emailWindow = createEmailWindow({ email, session, codes, window: windowFor('email') })
  const deletionWindow = createDeletionWindow({ ...walletOptions, wallet, codes, window: windowFor('deleteAccount') })
  const rpc = createRpc({
    ...reach,
    wallet,
    previous,
    networks,
    accounts,
    approvals,
    loadChain,
    origin: origin.get,
    smartSessions: () => page.smartSessions ?? dappData.smartSessions === true,
    onSettled: screen.settled,
  })
  const windows = createWindowLink({
    window: options.window,
    ownOrigin,
    projectId: page.projectId,
    clock,
    randomSecret,
    toFailure,
    onSocialTicket: social.ticket,
    service: createWindowService({
      projectName: page.projectName,
      origin: origin.get,
      themeMode: () => themeMode,
      ladder,
      gateway,
      session,
      wallet,
      previous,
      approvals: {
        first: screen.firstInWindow,
        facts: (request) => factsOf(request, new AbortController().signal),
        subscribe: places.subscribe,
        approve: screen.approveInWindow,
        reject: approvals.reject,
      },
      emailChange: emailWindow.service,
      deletion: deletionWindow.service,
    }),
  })
  const networkIds = page.networks.map(({ id }) => id)
  const bitcoinNetworks = bitcoinNetworksOf(page)
  const handlers = createHandlers({
    ladder,
    gateway,
    session,
    email,
    emailWindow,
    deletionWindow,
    social,
    wallet,
    previous,
    describePrevious: (signal) => describePrevious({ wallet, previous, networks, accounts, networkIds }, signal),
    networks,
    accounts,
    approvals,
    screen,
    codes,
    rpc,
    windows,
    origin,
    user: { ladder, session, wallet, networks, accounts, bitcoinNetworks, recoveryRule: page.recovery },
    smartAccountChainIds: page.smartAccounts.map(({ chainId }) => chainId),
    setThemeMode(mode) {
      themeMode = mode
    },
    setDappData(data) {
      dappData = data
    },
    reload: options.reload,
  })
  const stopFollowing = session.followTabs()
  const service = serve({
    port,
    handlers,
    toFailure,
    onEnd() {
      stopFollowing()
      codes.cancel()
      screen.end()
      places.end()
      windows.end()
      wallet.close()
      previous.close()
    },
  })
  service.notify({ name: 'READY', version: options.version })
  return service.end
}

function bitcoinNetworksOf({ networks }: WalletFramePage) {
  const ids = [...networks, ...Object.values(builtInNetworks)].map(({ id }) => id)
  return [...new Set(ids.filter((id) => namespaceOf(id) === 'bip122'))]
}

/** After the timeout, counts without the gateway's price. */
async function dollarsFor(
  request: ApprovalRequest,
  limitUsd: number,
  signal: AbortSignal,
  {
    describe,
    clock,
    page,
    baseUrl,
    fetch,
    loadWorth,
  }: Reach & Pick<FrameOptions, 'clock' | 'loadWorth'> & { readonly describe: DescribeRequest },
): Promise<number | null> {
  const [{ dollarsOf, lossOf }, intent] = await Promise.all([loadWorth(), firstIntent(describe, request, signal)])
  const loss = lossOf(request, intent)
  const timeout = deadline(clock, priceTimeoutMs, signal, () => new Failure('TIMEOUT'))
  const { projectId } = page
  try {
    return await dollarsOf(loss, request.networkId, limitUsd, { baseUrl, fetch, projectId, signal: timeout.signal })
  } finally {
    timeout.release()
  }
}

/** The intent that needs no chain. */
function firstIntent(describe: DescribeRequest, request: ApprovalRequest, signal: AbortSignal): Promise<Intent> {
  const enough = new AbortController()
  const either = followAbort(enough, signal)
  return new Promise((resolve, reject) => {
    describe(request, either, (intent) => {
      resolve(intent)
      enough.abort()
    }).then(() => reject(new Failure('ABORTED')), reject)
  })
}
